/** Guests' pages in memory, each with its compressed form and its ready headers. */
import type { Changes, ItemRef } from '#server/kernel/changes.ts'
import { BoundedMap } from '#server/kernel/bounded-map.ts'
import { toRefusal } from '#server/kernel/http/http-errors.ts'

export interface CachedPage {
  readonly status: number
  readonly html: Buffer
  readonly brotli: Buffer
  readonly etag: string
  /** Of the HTML as it is, and of its compressed form, without what HTTP adds. */
  readonly headers: Readonly<Record<string, string>>
  readonly brotliHeaders: Readonly<Record<string, string>>
  /** Dropped when one of these is written. */
  readonly tags: readonly string[]
  /** Lessons that who sees the page has viewed. */
  readonly viewed: readonly number[]
}

/** Of a page that shows an item. */
export const tagOf = ({ kind, id }: ItemRef): string => `${kind}:${id}`
/** Of the page of a certificate. */
export const certificateTag = (code: string): string => `certificate:${code}`
/** Of the pages that list items. */
export const LISTS = 'lists'

interface Entry {
  readonly page: CachedPage
  readonly renderedAt: number
  freshUntil: number
}

export interface PageCache {
  /** The page, when it is fresh. */
  get(key: string): CachedPage | undefined
  /**
   * The page, rendered if it must be; requests at the same time share one render. Where that fails because the database
   * is away (503), a page that nothing was written to since is answered once more, for ten minutes at most.
   */
  load(
    key: string,
    render: (stale: CachedPage | undefined) => Promise<CachedPage>,
  ): Promise<CachedPage>
  /** Forgets what depends on any of the tags, or everything. */
  drop(tags: readonly string[] | 'all'): void
}

const MOST_BYTES = 32 * 1024 * 1024
/**
 * Without Redis nothing is heard of what other nodes write. What a page is made of may be two seconds old when it is
 * rendered (items/lists.ts), so that with these three an edit is seen everywhere after five.
 */
const FRESH_MS = 3000
/** How old a page may get while no other can be rendered, and how soon that is tried again. */
const STALE_MS = 600_000
const TRY_AGAIN_MS = 1000

/** `now`: milliseconds. Least recently used pages go first. */
export function createPageCache(now: () => number = Date.now): PageCache {
  const entries = new BoundedMap<string, Entry>({
    most: MOST_BYTES,
    sizeOf: ({ page }) => page.html.length + page.brotli.length,
  })
  const pending = new Map<string, Promise<CachedPage>>()
  // A page whose render began before a write may show what was before it: it answers who asked then, and is not cached.
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

/** Drops from now on what shows something that has changed. */
export function followChanges(cache: Pick<PageCache, 'drop'>, changes: Changes): void {
  changes.subscribe((change) => {
    switch (change.kind) {
      case 'itemsChanged':
        cache.drop([...change.items.map(tagOf), LISTS])
        break
      case 'numbersChanged':
        cache.drop(change.items.map(tagOf))
        break
      case 'certificateChanged':
        cache.drop([certificateTag(change.code)])
        break
      // Their name stands on every card, and their items may stand on any page.
      case 'personRenamed':
      case 'personErased':
      case 'changesMissed':
        cache.drop('all')
        break
      default:
    }
  })
}
