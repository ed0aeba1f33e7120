/** Tests that any text makes a valid feed which contains exactly that text. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isolate } from '#contract/direction.ts'
import type { LessonCard } from '#contract/lessons.ts'
import { writeAtom } from '#server/pages/feeds/atom.ts'
import type { FeedItem } from '#server/pages/feeds/finding.ts'
import { readFeed } from '#server/testing/feeds/feeds.ts'

const ORIGINS = { site: 'https://bazaar.example', pictures: 'https://files.bazaar.example' }
const PUBLISHED = '2026-01-02T03:04:05.678Z'

const MARKUP =
  '< > & " \' ]]> <!-- --> <![CDATA[ </title> </feed> &amp; &#0; &nbsp; <script> <?xml %'
const BLANKS_AND_CONTROLS = '\t\n\r \u0000\u0008\uFFFE\uFFFF\uD800\uDC00\u202E'
const SIGNS = [...MARKUP.split(' '), ...BLANKS_AND_CONTROLS, '\r\n', 'مرحبا', '😀']

/**
 * Generates markup, XML delimiters, white space, characters that XML lacks, both directions and lone surrogates,
 * but no leading U+FEFF, which the TextDecoder of the reader would take for a byte order mark.
 */
const hostile = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.array(fc.constantFrom(...SIGNS), { maxLength: 12 }).map((parts) => parts.join('')),
  )
  .filter((text) => !text.startsWith('\uFEFF'))

/** Replaces characters that XML 1.0 lacks with U+FFFD. */
const replaceUnwritable = (text: string) =>
  [...text]
    .map((sign) => {
      const code = sign.codePointAt(0) ?? 0
      const isControl = code < 32 && !['\t', '\n', '\r'].includes(sign)
      const isHalf = code >= 0xd8_00 && code <= 0xdf_ff
      return isControl || isHalf || code === 0xff_fe || code === 0xff_ff ? '\uFFFD' : sign
    })
    .join('')

function itemOf(change: Partial<LessonCard>): FeedItem {
  const card = {
    id: 7,
    title: 'A lesson',
    description: 'What one learns in it',
    opening: null,
    thumbnail: '/art/cover/7.svg',
    tags: ['learning'],
    language: null,
    owner: '11111111-1111-4111-8111-111111111111',
    ownerName: 'ann',
    ownerImage: '/art/avatar/7.svg',
    price: 100,
    date: PUBLISHED,
    free: false,
    likes: 1,
    views: 1,
    comments: 1,
    rating: null,
    ratings: 0,
    ...change,
  }
  return { kind: 'lesson', card, updated: new Date('2026-02-03T04:05:06.007Z') }
}

const written = (items: readonly FeedItem[], tag = 'learning') =>
  readFeed(
    writeAtom({
      subject: { of: 'tag', tag },
      items,
      locale: 'en',
      path: `/feeds/tag/${encodeURIComponent(tag.toWellFormed())}.atom`,
      site: 'Bazaar',
      tagline: 'Learn',
      origins: ORIGINS,
    }),
  )

test('titles, descriptions, openings, tags and names are read back unchanged', () => {
  // The reader checks the grammar of the feed.
  expect(() => readFeed('<feed xmlns="http://www.w3.org/2005/Atom"></feed>')).toThrow()
  const texts = fc.record({
    title: hostile,
    description: hostile,
    opening: fc.option(hostile),
    ownerName: hostile,
    tags: fc.array(hostile, { maxLength: 3 }),
    language: fc.constantFrom('en' as const, 'bg' as const, 'other' as const, null),
  })
  fc.assert(
    fc.property(texts, (given) => {
      const [entry] = written([itemOf(given)]).entries
      const { title, description, opening, ownerName, tags, language } = given
      expect(entry).toEqual({
        id: 'https://bazaar.example/lesson/details/7',
        title: replaceUnwritable(title),
        summary: replaceUnwritable(description),
        // A high surrogate at the end of one text and a low one at the start of the next don't form one character.
        content: replaceUnwritable(description) + replaceUnwritable(opening ?? ''),
        published: PUBLISHED,
        updated: '2026-02-03T04:05:06.007Z',
        author: replaceUnwritable(ownerName),
        language: language === 'en' || language === 'bg' ? language : '',
        categories: tags.map(replaceUnwritable),
        enclosure: 'https://files.bazaar.example/art/cover/7.svg',
        enclosureType: 'image/svg+xml',
      })
    }),
    { numRuns: 500 },
  )
})

test('a feed of a tag is named after it', () => {
  fc.assert(
    fc.property(hostile, (tag) => {
      const name = isolate(tag.toWellFormed())
      expect(written([], tag.toWellFormed()).title).toBe(
        `New with the tag ${replaceUnwritable(name)} · Bazaar`,
      )
    }),
    { numRuns: 200 },
  )
})

test('a feed is as new as its newest item, and an empty one never changed', () => {
  const older = { ...itemOf({ id: 8 }), updated: new Date(PUBLISHED) }
  expect(written([older, itemOf({})]).updated).toBe('2026-02-03T04:05:06.007Z')
  expect(written([]).updated).toBe('1970-01-01T00:00:00.000Z')
})
