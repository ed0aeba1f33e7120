/** HTML of cards and comments, which many pages show alike: cached by all that they show, so that nothing stale is ever found. */
import { hash } from 'node:crypto'
import type { PieceCache } from '#contract/render.ts'
import { BoundedMap } from '#server/kernel/bounded-map.ts'
import type { Changes } from '#server/kernel/changes.ts'

/** A card is about 1.6 KB, a comment 0.8 KB; so much is the comments of six hundred lessons. */
const MOST_BYTES = 24 * 1024 * 1024

/** Of a key, and of what the map and its objects take for each. */
const ENTRY_BYTES = 150

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
  // What a piece shows is half as long as its HTML, and nobody has to read it again.
  const digest = (key: string) => hash('sha256', key, 'base64url')
  return {
    get: (key) => entries.get(digest(key))?.html,
    set: (key, html) => {
      // A text in Cyrillic takes two bytes for a character, one in English one.
      entries.set(digest(key), { html, bytes: ENTRY_BYTES + Buffer.byteLength(html) })
    },
  }
}
