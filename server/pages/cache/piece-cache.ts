/** HTML of cards and comments, which many pages show alike: cached by all that they show, so that nothing stale is ever found. */
import type { PieceCache } from '#contract/render.ts'
import { BoundedMap } from '#server/kernel/bounded-map.ts'
import type { Changes } from '#server/kernel/changes.ts'

/** A card is about 2 KB with its key, a comment 1 KB; so much is some ten thousand of them. */
const MOST_BYTES = 16 * 1024 * 1024

interface Entry {
  readonly html: string
  readonly bytes: number
}

/**
 * A cache of pieces for the pages of this process. Least recently used pieces go first; all go when somebody's account
 * is erased, so that nothing that they wrote stays in memory.
 */
export function createPieceCache(changes: Pick<Changes, 'subscribe'>): PieceCache {
  const empty = () =>
    new BoundedMap<string, Entry>({ most: MOST_BYTES, sizeOf: ({ bytes }) => bytes })
  let entries = empty()
  changes.subscribe(({ kind }) => {
    if (kind === 'personErased') entries = empty()
  })
  return {
    get: (key) => entries.get(key)?.html,
    set: (key, html) => {
      // A text in Cyrillic takes two bytes for a character, one in English one.
      entries.set(key, { html, bytes: Buffer.byteLength(key) + Buffer.byteLength(html) })
    },
  }
}
