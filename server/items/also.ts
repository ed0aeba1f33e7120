/**
 * What the locked page of an item offers besides it. Which items these are is the same for everybody, so a node reads it
 * once for all; whose they are, and what the reader has, is read with every request, by the same statement.
 */
import type { Also } from '#contract/items.ts'
import type { Locale } from '#contract/messages/messages.ts'
import type { Db } from '#server/db/connect.ts'
import { createAnswerCache } from '#server/items/caches/answer-cache.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Core } from '#server/kernel/core.ts'

/** Items whose candidates are in memory, at some 0.2 KB each, and how late a purchase may count. */
const BOUNDS = { most: 5000, freshMs: 60_000 }

/** What a kind's statement is given. */
export type AlsoAsked = Readonly<{
  id: number
  /** Candidates from memory as JSON, or null where it must find them. */
  known: string | null
  viewerId: string | null
  language: string
}>

/** What every row of a kind's statement says besides its card. */
export interface AlsoRow {
  readonly isUnlocked: boolean
  /** The candidates as JSON, the best first, where they were not given. */
  readonly candidates: string | null
}

interface Found<Row> {
  readonly because: Also
  readonly rows: readonly Row[]
}

/**
 * Answers a verb that gives what stands on the locked page of an item; it follows the bus from now on. Nothing for no
 * item.
 */
export function createAlsoReader<Row extends AlsoRow>(
  { clock, changes, reads }: Pick<Core, 'clock' | 'changes' | 'reads'>,
  list: (db: Db, asked: AlsoAsked) => Promise<Row[]>,
): (id: number, viewer: Viewer | null, language: Locale) => Promise<Found<Row>> {
  const candidates = createAnswerCache<string>(clock, BOUNDS)
  changes.subscribe(({ kind }) => {
    if (kind === 'itemsChanged' || kind === 'personErased' || kind === 'changesMissed')
      candidates.drop()
  })
  return async (id, viewer, language) => {
    const key = String(id)
    const known = candidates.peek(key) ?? null
    const store = candidates.begin()
    const viewerId = viewer?.id ?? null
    const rows = await list(reads.of(viewer), { id, known, viewerId, language })
    const [first] = rows
    if (typeof first?.candidates === 'string') store(key, first.candidates)
    return { because: first?.isUnlocked === true ? 'unlocked' : 'tags', rows }
  }
}
