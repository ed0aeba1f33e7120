/** A locked lesson shows the sizes and types of its content, but none of its text. */
import { sql, type RawBuilder } from 'kysely'
import type { CaptionLanguage } from '#contract/items.ts'
import type { Lesson } from '#contract/lessons.ts'
import { UNLOCKS_COUNTED } from '#contract/limits.ts'

export interface InsideRow {
  readonly article: string
  readonly article_minutes: number
  /** The address of an upload, a link to another site, or an empty string. */
  readonly resources: string
  /** Null for a link. */
  readonly resource_bytes: number | null
  /** Number of questions in its self-check. */
  readonly questions: number
  /** The languages of its captions. */
  readonly captions: CaptionLanguage[]
}

/** Size in bytes of the upload that `l` (lessons) and `c` (their contents) refer to. Reads `uploads_lesson`. */
export const resourceBytes: RawBuilder<number | null> = sql`(
    select u.size from uploads u
    where u.lesson_id = l.id and u.finished_at is not null and c.resources like '/files/resources/' || u.id || '/%' limit 1
  )`

/** Enough for a median. */
const BUYERS_ASKED = 20

/** Number of purchases of `lesson`, counted up to one more than is shown. Reads `lesson_purchases_lesson`. */
export const unlocks: RawBuilder<number> = sql`(
  select count(*)::integer from (
    select from lesson_purchases bought where bought.lesson_id = lesson.id limit ${sql.lit(UNLOCKS_COUNTED + 1)}
  ) counted
)`

/**
 * The median of the lengths that the players of a few buyers reported, so that one wrong report changes nothing.
 * Null if none of them has played the video.
 */
export const videoSeconds: RawBuilder<number | null> = sql`(
  select percentile_disc(0.5) within group (order by watched.length)
  from (select user_id from lesson_purchases where lesson_id = lesson.id limit ${sql.lit(BUYERS_ASKED)}) buyer
  join lesson_progress watched on watched.user_id = buyer.user_id and watched.lesson_id = lesson.id and watched.length > 0
)`

const HEADING = /<h[1-6][\s>]/g
const TAG = /<[^>]*>/g
const WORD = /[\p{L}\p{N}]+(?:[’'-][\p{L}\p{N}]+)*/gu
/** A file name's extension. */
const ENDING = /\.([a-z0-9]{1,5})$/i

export function insideOf(row: InsideRow): Lesson['inside'] {
  return {
    articleMinutes: row.article_minutes,
    words: countOf(row.article.replaceAll(TAG, ' '), WORD),
    headings: countOf(row.article, HEADING),
    resource: row.resources !== '',
    resourceKind: kindOf(row.resources),
    resourceBytes: row.resource_bytes,
    questions: row.questions,
    captions: row.captions,
  }
}

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

function kindOf(resource: string): string | null {
  const path = resource.split(/[?#]/)[0] ?? ''
  // A link without a path would yield the end of its host.
  const name = /^(?:https?:\/\/[^/]*)?\/(.*)$/i.exec(path)?.[1] ?? ''
  return ENDING.exec(name)?.[1]?.toUpperCase() ?? null
}
