/**
 * Other items for the locked page of an item. The candidates are the same for everybody and cached per node; their
 * owners and the viewer's purchases are read by every request, in the same statement.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Also } from '#contract/items.ts'
import type { Locale } from '#contract/messages/messages.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { createAnswerCache } from '#server/items/shared/caches/answer-cache.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { isStale } from '#server/platform/events/catalogue.ts'

/** A cached list of candidates takes about 0.2 KB. Purchases affect it after `freshMs` at the latest. */
const BOUNDS = { most: 5000, freshMs: 60_000 }

/** Lessons with a tag are counted up to this number. A tag with more is common on every site. */
const COUNTED = 5000

/**
 * Selects `tag`, `weight` and `is_rare` for the tags that `own` selects. The weight is the inverse document
 * frequency, ln(all lessons / lessons with the tag), and a tag is rare if at most 1 in 100 lessons has it. The
 * newest id serves as the number of all lessons; it includes deleted ones, which raises all weights equally. Reads
 * the index `lessons_newest` and the key of `lesson_tags`.
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

/**
 * An aggregate over the tags that two items share, which decides whether they have the same subject. A single
 * shared tag must be rare.
 */
export const isSameSubject = (tags: string): RawBuilder<boolean> =>
  sql`(count(*) > 1 or bool_or(${sql.ref(`${tags}.is_rare`)}))`

export type AlsoAsked = Readonly<{
  id: number
  /** Cached candidates as JSON; null when the statement must find them. */
  known: string | null
  viewerId: string | null
  language: string
}>

/** The columns of a kind's statement besides its card. */
export interface AlsoRow {
  readonly isUnlocked: boolean
  /** The candidates as JSON, best first; null when they were cached. */
  readonly candidates: string | null
}

interface Found<Row> {
  readonly because: Also
  readonly rows: readonly Row[]
}

/** Returns a function that reads the other items for a locked page. Changes drop its cache. */
export function createAlsoReader<Row extends AlsoRow>(
  { clock, events, reads }: Pick<Core, 'clock' | 'events' | 'reads'>,
  list: (db: Db, asked: AlsoAsked) => Promise<Row[]>,
): (id: number, viewer: Viewer | null, language: Locale) => Promise<Found<Row>> {
  const candidates = createAnswerCache<string>(clock, BOUNDS)
  events.subscribe((event) => {
    if (isStale(event, 'items')) candidates.drop()
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
