/** Caches guests' pages in memory, each with its compressed form and its headers. */
import { isStale, itemsOf, type ItemRef } from '#server/platform/events/catalogue.ts'
import type { Events } from '#server/platform/events/events.ts'
import { BoundedMap } from '#server/kernel/bounded-map.ts'
import { toRefusal } from '#server/kernel/http/http-errors.ts'

export interface CachedPage {
  readonly status: number
  readonly html: Buffer
  readonly brotli: Buffer
  readonly etag: string
  /** Headers of the plain and the compressed HTML, without those that HTTP adds. */
  readonly headers: Readonly<Record<string, string>>
  readonly brotliHeaders: Readonly<Record<string, string>>
  /** A change of any of these drops the page. */
  readonly tags: readonly string[]
  /** Lessons whose view counts when the page is served. */
  readonly viewed: readonly number[]
}

export const tagOf = ({ kind, id }: ItemRef): string => `${kind}:${id}`
export const certificateTag = (code: string): string => `certificate:${code}`
export const LISTS = 'lists'

interface Entry {
  readonly page: CachedPage
  readonly renderedAt: number
  freshUntil: number
}

export interface PageCache {
  /** Returns the page if it is fresh. */
  get(key: string): CachedPage | undefined
  /**
   * Returns the page and renders it if needed; concurrent requests share one render. If that fails because the
   * database is unavailable (503), a stale page without known changes is served for at most ten minutes.
   */
  load(
    key: string,
    render: (stale: CachedPage | undefined) => Promise<CachedPage>,
  ): Promise<CachedPage>
  /** Drops what depends on any of the tags, or everything. */
  drop(tags: readonly string[] | 'all'): void
}

const MOST_BYTES = 32 * 1024 * 1024
/**
 * In ms. Without Redis a node doesn't hear of other nodes' writes. The data of a page may be two seconds old when
 * it is rendered (items/shared/lists.ts), so together with these three an edit is visible everywhere after five.
 */
const FRESH_MS = 3000
/** In ms: how old a page may get while it can't be rendered, and how soon rendering is tried again. */
const STALE_MS = 600_000
const TRY_AGAIN_MS = 1000

/** `now` returns ms. Evicts the least recently used pages first. */
export function createPageCache(now: () => number = Date.now): PageCache {
  const entries = new BoundedMap<string, Entry>({
    most: MOST_BYTES,
    sizeOf: ({ page }) => page.html.length + page.brotli.length,
  })
  const pending = new Map<string, Promise<CachedPage>>()
  // Counts drops: a page whose render began before a drop may be stale, so it is served to the waiting requests
  // and not cached.
  let writes = 0

  const staleOf = (key: string) => {
    const entry = entries.peek(key)
    if (entry === undefined || entry.renderedAt + STALE_MS <= now()) return undefined
    entry.freshUntil = now() + TRY_AGAIN_MS
    return entry.page
  }

  return {
    get: (key) => {
      const entry = entries.get(key)
      return entry === undefined || entry.freshUntil <= now() ? undefined : entry.page
    },
    load: (key, render) => {
      const begun = writes
      const name = `${begun} ${key}`
      const running = pending.get(name)
      if (running !== undefined) return running
      const rendering = render(entries.peek(key)?.page)
        .then(
          (page) => {
            if (page.status === 503) return staleOf(key) ?? page
            const renderedAt = now()
            if (page.status < 500 && writes === begun)
              entries.set(key, { page, renderedAt, freshUntil: renderedAt + FRESH_MS })
            return page
          },
          (error: unknown) => {
            const stale = toRefusal(error)?.status === 503 ? staleOf(key) : undefined
            if (stale === undefined) throw error
            return stale
          },
        )
        .finally(() => pending.delete(name))
      pending.set(name, rendering)
      return rendering
    },
    drop: (tags) => {
      writes += 1
      for (const [key, entry] of entries.entries())
        if (tags === 'all' || entry.page.tags.some((tag) => tags.includes(tag))) entries.delete(key)
    },
  }
}

/** Drops pages that show something that has changed. */
export function followEvents(cache: Pick<PageCache, 'drop'>, events: Events): void {
  events.subscribe((event) => {
    // The name is on every card, and the person's items may be on any page.
    if (isStale(event, 'names')) cache.drop('all')
    else if (isStale(event, 'items')) cache.drop([...itemsOf(event).map(tagOf), LISTS])
    else if (isStale(event, 'numbers')) cache.drop(itemsOf(event).map(tagOf))
    else if (event.type === 'certificate.changed') cache.drop([certificateTag(event.code)])
  })
}
