/** What counts as a copy and what doesn't. docs/decisions/0109-copies-earn-nothing.md has the table for people. */
import { expect, test } from 'vitest'
import { SAME_ARTICLE } from '#contract/limits.ts'
import { articleText, cleanArticle } from '#server/items/lessons/article.ts'
import { bandsOf, jaccard, shinglesOf } from '#server/people/points/resemblance.ts'

/** Returns the same words for the same seed. */
const wordsOf = (count: number, seed: number) =>
  Array.from({ length: count }, (_, place) => `word${(seed * 7919 + place * 104_729) % 999_983}`)
const paragraphs = Array.from({ length: 6 }, (_, place) => wordsOf(60, place).join(' '))
const original = paragraphs.join('\n')
const replaceEvery = (step: number) =>
  original
    .split(' ')
    .map((word, place) => (place % step === 0 ? `synonym${place}` : word))
    .join(' ')
const own = (count: number) => wordsOf(count, 99).join(' ')

const TABLE: readonly (readonly [string, string, 'copy' | 'other'])[] = [
  ['reordered paragraphs', paragraphs.toReversed().join('\n'), 'copy'],
  ['look-alike letters', original.replaceAll('o', 'о').replaceAll('r', 'г'), 'copy'],
  ['invisible characters', original.replaceAll('wo', 'w\u200Bo\u00AD'), 'copy'],
  ['other case and punctuation', original.toUpperCase().replaceAll(' ', ', '), 'copy'],
  ['full-width letters', original.replaceAll('w', 'ｗ'), 'copy'],
  [
    'other markup',
    articleText(cleanArticle(`<ul><li><b>${paragraphs.join('</b></li><li><b>')}</b></li></ul>`)),
    'copy',
  ],
  ['a sentence of one’s own before and after', `${own(12)} ${original} ${own(12)}`, 'copy'],
  ['as much of one’s own as was taken', `${own(180)} ${original} ${own(180)}`, 'other'],
  ['a synonym for every thirtieth word', replaceEvery(30), 'copy'],
  ['a synonym for every tenth word', replaceEvery(10), 'other'],
  ['a tenth left out', original.split(' ').slice(36).join(' '), 'copy'],
  ['a half left out', original.split(' ').slice(180).join(' '), 'other'],
  ['all words in another order', original.split(/\s/).toReversed().join(' '), 'other'],
]

test.each(TABLE)('%s', (_, text, expected) => {
  const [one, two] = [shinglesOf(original), shinglesOf(text)]
  expect(jaccard(one, two) >= SAME_ARTICLE ? 'copy' : 'other').toBe(expected)
  const bands = new Set(bandsOf(one))
  if (expected === 'copy') expect(bandsOf(two).some((band) => bands.has(band))).toBe(true)
})

test('articles of likeness 0.8 share a band', () => {
  // Each pair is missed with a probability of 0.0004, so four of 1,000 are far more than expected.
  let seed = 1
  const next = () => (seed = Math.imul(seed, 1_664_525) + 1_013_904_223)
  let missed = 0
  for (let pair = 0; pair < 1000; pair += 1) {
    const shared = Array.from({ length: 80 }, next)
    const [one, two] = [1, 2].map(() => [...shared, ...Array.from({ length: 10 }, next)])
    const bands = new Set(bandsOf(one ?? []))
    if (!bandsOf(two ?? []).some((band) => bands.has(band))) missed += 1
  }
  expect(missed).toBeLessThan(4)
})
