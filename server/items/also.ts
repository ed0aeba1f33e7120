/**
 * What the locked page of an item offers besides it. Which items these are is the same for everybody, so a node reads it
 * once for all; whose they are, and what the reader has, is read with every request, by the same statement.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Also } from '#contract/items.ts'
import type { Locale } from '#contract/messages/messages.ts'
import type { Db } from '#server/db/connect.ts'
import { createAnswerCache } from '#server/items/caches/answer-cache.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Core } from '#server/kernel/core.ts'

/** Items whose candidates are in memory, at some 0.2 KB each, and how late a purchase may count. */
const BOUNDS = { most: 5000, freshMs: 60_000 }

/** Lessons of a tag are counted up to this number. On every site, a tag of more lessons is common. */
const COUNTED = 5000

/**
 * A select of `tag`, `weight` and `is_rare` for the tags that `own` selects. The weight is the inverse document
 * frequency, ln(all lessons / lessons with the tag). A tag is rare when one lesson in a hundred has it, or fewer. All
 * lessons are counted by the newest one's id: deleted ones count too, which raises all weights alike. It walks
 * `lessons_newest` and the key of `lesson_tags`.
 */
export function weighedTags(own: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select own.tag, ln(site.lessons / tagged.lessons) as weight,
      tagged.lessons <= least(site.lessons / 100, ${sql.lit(COUNTED)}) as is_rare
    from (${own}) own, lateral (
      select count(*)::float8 as lessons from (
        select from lesson_tags where tag = own.tag limit ${sql.lit(COUNTED + 1)}
      ) counted
    ) tagged, (
      select id::float8 as lessons from lessons where deleted_at is null order by id desc limit 1
    ) site`
}

/** An aggregate over the tags that two items share: whether they are on the same subject. A single tag must be rare. */
export const isSameSubject = (tags: string): RawBuilder<boolean> =>
  sql`(count(*) > 1 or bool_or(${sql.ref(`${tags}.is_rare`)}))`

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
