/** What a locked lesson says of what it holds: numbers and kinds, none of its words. */
import { sql, type RawBuilder } from 'kysely'
import type { Lesson } from '#contract/lessons.ts'
import { UNLOCKS_COUNTED } from '#contract/limits.ts'

/** What a lesson's row tells of what is inside. */
export interface InsideRow {
  readonly article: string
  readonly article_minutes: number
  /** An upload's address, a link elsewhere, or nothing. */
  readonly resources: string
  /** Of an upload; null for a link. */
  readonly resource_bytes: number | null
  /** Of its self-check. */
  readonly questions: number
}

/** Bytes of the upload that `l` (lessons) and `c` (their contents) name; it walks `uploads_lesson`. */
export const resourceBytes: RawBuilder<number | null> = sql`(
    select u.size from uploads u
    where u.lesson_id = l.id and u.finished_at is not null and c.resources like '/files/resources/' || u.id || '/%' limit 1
  )`

/** Enough for a median. */
const BUYERS_ASKED = 20

/** How many bought `lesson`, one entry further than is counted. It reads `lesson_purchases_lesson`. */
export const unlocks: RawBuilder<number> = sql`(
  select count(*)::integer from (
    select from lesson_purchases bought where bought.lesson_id = lesson.id limit ${sql.lit(UNLOCKS_COUNTED + 1)}
  ) counted
)`

/**
 * The median of what the players of a few buyers reported, so that one wrong report changes nothing. Null where none of
 * them has played it.
 */
export const videoSeconds: RawBuilder<number | null> = sql`(
  select percentile_disc(0.5) within group (order by watched.length)
  from (select user_id from lesson_purchases where lesson_id = lesson.id limit ${sql.lit(BUYERS_ASKED)}) buyer
  join lesson_progress watched on watched.user_id = buyer.user_id and watched.lesson_id = lesson.id and watched.length > 0
)`

const HEADING = /<h[1-6][\s>]/g
const TAG = /<[^>]*>/g
const WORD = /[\p{L}\p{N}]+(?:[’'-][\p{L}\p{N}]+)*/gu
/** The ending of a file's name. */
const ENDING = /\.([a-z0-9]{1,5})$/i

/** How much there is to read, and what comes along. */
export function insideOf(row: InsideRow): Lesson['inside'] {
  return {
    articleMinutes: row.article_minutes,
    words: countOf(row.article.replaceAll(TAG, ' '), WORD),
    headings: countOf(row.article, HEADING),
    resource: row.resources !== '',
    resourceKind: kindOf(row.resources),
    resourceBytes: row.resource_bytes,
    questions: row.questions,
  }
}

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

function kindOf(resource: string): string | null {
  const path = resource.split(/[?#]/)[0] ?? ''
  // Of a link that names no path the host's ending would say nothing.
  const name = /^(?:https?:\/\/[^/]*)?\/(.*)$/i.exec(path)?.[1] ?? ''
  return ENDING.exec(name)?.[1]?.toUpperCase() ?? null
}
