/** Columns, joins and mapping of comments for details, pages and profiles. */
import { sql, type RawBuilder } from 'kysely'
import type { Comment } from '#contract/comments.ts'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import { shownPerson } from '#server/people/accounts/answer.ts'
import type { Viewer } from '#server/kernel/call.ts'

export interface CommentRow {
  readonly id: number
  readonly text: string
  readonly user_id: string
  readonly user_name: string
  /** The key of the picture; null for a generated one. */
  readonly user_picture: string | null
  readonly lesson_id: number
  readonly lesson_title: string
  /** A string if the row came as JSON. */
  readonly created_at: Date | string
  readonly reply_to: number | null
  readonly edited_at: Date | string | null
  /** Number of answers that are not deleted. */
  readonly replies: number
  readonly by_author: boolean
}

/** Counts the answers to the comment `m` that are not deleted. */
export const repliesCount = sql`(
  select count(*)::integer from comments r where r.reply_to = m.id and r.deleted_at is null)`

/** They need `m` (comments) and the joins of `commentJoins`. */
export const commentColumns = sql`
  m.id, m.text, m.user_id, writer.username as user_name, face.key as user_picture,
  m.lesson_id, about.title as lesson_title, m.created_at, m.reply_to, m.edited_at, ${repliesCount} as replies,
  exists (select from lessons l where l.id = m.lesson_id and l.owner_id = m.user_id) as by_author`

/** Joins the writer and the lesson to `m` (comments). */
export const commentJoins = sql`
  join users writer on writer.id = m.user_id
  left join pictures face on face.id = writer.picture_id
  join lesson_contents about on about.lesson_id = m.lesson_id`

/** Bounds for the ids of comments, both exclusive, and optionally a list of ids. */
export interface CommentRange {
  readonly before?: number | undefined
  readonly after?: number | undefined
  readonly among?: RawBuilder<number[]> | undefined
}

/**
 * Comments of one lesson as JSON, newest first, as one list per column; null if there are none. PostgreSQL would
 * take longer to write an object with field names for each comment than to find the comments.
 */
export interface CommentColumns {
  readonly lesson_id: number
  readonly lesson_title: string
  readonly owner_id: string
  readonly id: readonly number[] | null
  readonly text: readonly string[]
  readonly user_id: readonly string[]
  readonly user_name: readonly string[]
  readonly user_picture: readonly (string | null)[]
  readonly created_at: readonly string[]
  readonly reply_to: readonly (number | null)[]
  readonly edited_at: readonly (string | null)[]
  readonly replies: readonly number[]
}

const COLUMNS = [
  'id',
  'text',
  'user_id',
  'user_name',
  'user_picture',
  'created_at',
  'reply_to',
  'edited_at',
  'replies',
] as const satisfies readonly (keyof CommentColumns)[]

/** Pairs for json_build_object: the name of each column of `from`, and its values as a list, newest first. */
export function columnLists(from: string, columns: readonly string[]): RawBuilder<unknown> {
  const row = sql.id(from)
  return sql.join(
    columns.map(
      (column) =>
        sql`${sql.lit(column)}, array_agg(${row}.${sql.id(column)} order by ${row}.id desc)`,
    ),
  )
}

/**
 * Selects up to 50 comments of a lesson for `toComments`, newest first. The newest of the range are taken, but
 * with `after` alone the oldest, so that the caller can go on without gaps.
 */
export function newestComments(
  lessonId: RawBuilder<unknown>,
  { before, after, among }: CommentRange = {},
): RawBuilder<CommentColumns> {
  const direction = after !== undefined && before === undefined ? sql`asc` : sql`desc`
  return sql<CommentColumns>`(
    select json_build_object(
      'lesson_id', ${lessonId},
      'lesson_title', (select about.title from lesson_contents about where about.lesson_id = ${lessonId}),
      'owner_id', (select own.owner_id from lessons own where own.id = ${lessonId}),
      ${columnLists('newest', COLUMNS)}
    ) from (
      select m.id, m.text, m.user_id, writer.username as user_name, face.key as user_picture, m.created_at,
        m.reply_to, m.edited_at, ${repliesCount} as replies
      from comments m join users writer on writer.id = m.user_id left join pictures face on face.id = writer.picture_id
      where m.lesson_id = ${lessonId} and m.deleted_at is null
        ${before === undefined ? sql`` : sql`and m.id < ${before}`} ${after === undefined ? sql`` : sql`and m.id > ${after}`}
        ${among === undefined ? sql`` : sql`and m.id = any(${among})`}
      order by m.id ${direction} limit ${sql.lit(ROWS_PER_PAGE)}
    ) newest
  )`
}

/** Converts comments for a viewer, or for a guest (null). */
export function toComments(columns: CommentColumns, viewer: Viewer | null): Comment[] {
  const { lesson_id, lesson_title, owner_id } = columns
  return (columns.id ?? []).map((id, place) =>
    toComment(
      {
        id,
        text: columns.text[place] ?? '',
        user_id: columns.user_id[place] ?? '',
        user_name: columns.user_name[place] ?? '',
        user_picture: columns.user_picture[place] ?? null,
        lesson_id,
        lesson_title,
        created_at: columns.created_at[place] ?? '',
        reply_to: columns.reply_to[place] ?? null,
        edited_at: columns.edited_at[place] ?? null,
        replies: columns.replies[place] ?? 0,
        by_author: columns.user_id[place] === owner_id,
      },
      viewer,
    ),
  )
}

/** Converts a comment for a viewer, or for a guest (null). `mine` is true for its writer. */
export function toComment(row: CommentRow, viewer: Viewer | null): Comment {
  const writer = shownPerson(row.user_id, row.user_name, row.user_picture)
  return {
    id: row.id,
    text: row.text,
    user: writer.id,
    userName: writer.userName,
    profilePicture: writer.imageUrl,
    lessonId: row.lesson_id,
    lessonTitle: row.lesson_title,
    date: new Date(row.created_at).toISOString(),
    mine: viewer?.id === row.user_id,
    replyTo: row.reply_to,
    byAuthor: row.by_author,
    edited: row.edited_at === null ? null : new Date(row.edited_at).toISOString(),
    replies: row.replies,
  }
}
