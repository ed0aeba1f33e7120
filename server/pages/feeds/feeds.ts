/** Atom feeds of lessons, courses, tags and authors; the same for everybody. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { UserId } from '#contract/fields.ts'
import { DEFAULT_LOCALE, type Locale, isLocale } from '#contract/messages/messages.ts'
import { search } from '#contract/search.ts'
import { siteNameIn } from '#contract/site.ts'
import { createAnswerCache } from '#server/items/shared/caches/answer-cache.ts'
import { parseInput } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { isStale } from '#server/platform/events/catalogue.ts'
import { notFound } from '#server/kernel/errors.ts'
import { networkOf } from '#server/kernel/network.ts'
import type { Loads } from '#server/kernel/limits/loads.ts'
import { updatedOf, writeAtom } from '#server/pages/feeds/atom.ts'
import { findFeedItems, isPerson, type Subject } from '#server/pages/feeds/finding.ts'
import { seal, sendFeed, sizeOf, type SealedFeed } from '#server/pages/feeds/sealed.ts'
import { storedTag } from '#server/items/search/tagged.ts'

export interface FeedNeeds extends Pick<
  Core,
  'reads' | 'clock' | 'events' | 'config' | 'settings' | 'publicUrl'
> {
  readonly loads: Pick<Loads, 'pages' | 'render'>
  /** Headers of every response that isn't a page. */
  readonly headers: Readonly<Record<string, string>>
}

/** Bytes for some sixty feeds of fifty items with their compressed forms; as fresh as the pages of guests. */
const MEMORY = { most: 8 * 1024 * 1024, freshMs: 3000 }
/** Scripts of other sites may fetch feeds, and caches must validate them. */
const FOR_ALL = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, no-cache',
  'x-robots-tag': 'noindex',
} as const
const FILE = /^(.+)\.atom$/su

/** The language is that of `?lang=`, or else the site's default. */
export function registerFeeds(app: FastifyInstance, needs: FeedNeeds): void {
  const { reads, clock, events, config, publicUrl, loads } = needs
  const origins = { site: publicUrl, pictures: config.FILES_URL ?? publicUrl }
  const cache = createAnswerCache<SealedFeed>(clock, { ...MEMORY, sizeOf })
  events.subscribe((event) => {
    if (isStale(event, 'items', 'names')) cache.drop()
  })

  /** @throws Refusal 404 if the author doesn't exist */
  async function make(subject: Subject, path: string, locale: Locale): Promise<SealedFeed> {
    const db = reads.shared(null)
    const [items, isThere] = await Promise.all([
      findFeedItems(db, subject),
      subject.of !== 'author' || isPerson(db, subject.id),
    ])
    if (!isThere) throw notFound()
    const xml = writeAtom({
      subject,
      items,
      locale,
      path,
      origins,
      ...siteNameIn(needs.settings.current.names, locale),
    })
    return seal(xml, updatedOf(items))
  }

  async function answer(request: FastifyRequest, reply: FastifyReply, subject: Subject) {
    const named = localeIn(request.query)
    const path = `${pathOf(subject)}${named === null ? '' : `?lang=${named}`}`
    let feed = cache.peek(path)
    if (feed === undefined) {
      const asker = networkOf(request.ip)
      loads.pages.count(asker)
      feed = await cache.load(path, () =>
        loads.render.run(asker, () => make(subject, path, named ?? DEFAULT_LOCALE)),
      )
    }
    return sendFeed(feed, request, reply.headers({ ...needs.headers, ...FOR_ALL }))
  }

  app.get('/feeds/lessons.atom', (request, reply) => answer(request, reply, { of: 'lessons' }))
  app.get('/feeds/courses.atom', (request, reply) => answer(request, reply, { of: 'courses' }))

  app.get<{ Params: { file: string } }>('/feeds/tag/:file', (request, reply) => {
    const given = nameIn(request.params.file)
    parseInput(search.tagged, { tag: given })
    const tag = storedTag(given).toLowerCase()
    if (tag === '') throw notFound()
    return answer(request, reply, { of: 'tag', tag })
  })

  app.get<{ Params: { file: string } }>('/feeds/author/:file', (request, reply) => {
    const id = UserId.safeParse(nameIn(request.params.file))
    if (!id.success) throw notFound()
    return answer(request, reply, { of: 'author', id: id.data.toLowerCase() })
  })
}

/** @throws Refusal 404 */
function nameIn(file: string): string {
  const name = FILE.exec(file)?.[1]
  if (name === undefined) throw notFound()
  return name
}

function localeIn(query: unknown): Locale | null {
  const lang = typeof query === 'object' && query !== null && 'lang' in query ? query.lang : null
  return isLocale(lang) ? lang : null
}

/** Returns the canonical path of a feed. */
function pathOf(subject: Subject): string {
  switch (subject.of) {
    case 'lessons':
    case 'courses':
      return `/feeds/${subject.of}.atom`
    case 'tag':
      return `/feeds/tag/${encodeURIComponent(subject.tag)}.atom`
    case 'author':
      return `/feeds/author/${subject.id}.atom`
    default:
      return subject satisfies never
  }
}
