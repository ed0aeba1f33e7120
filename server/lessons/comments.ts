/** Comments as everybody reads them: the columns, joins and mapping of details, pages and profiles alike. */
import { sql, type RawBuilder } from 'kysely'
import type { Comment } from '#contract/comments.ts'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import { shownPerson } from '#server/accounts/answer.ts'
import type { Viewer } from '#server/kernel/call.ts'

export interface CommentRow {
  readonly id: number
  readonly text: string
  readonly user_id: string
  readonly user_name: string
  /** Key of the picture; null for a generated one. */
  readonly user_picture: string | null
  readonly lesson_id: number
  readonly lesson_title: string
  /** A text where the row came as JSON. */
  readonly created_at: Date | string
  readonly reply_to: number | null
  readonly edited_at: Date | string | null
  /** Answers that are there. */
  readonly replies: number
  readonly by_author: boolean
}

/** Answers to the comment `m` that are there. */
export const repliesCount = sql`(
  select count(*)::integer from comments r where r.reply_to = m.id and r.deleted_at is null)`

/** Needs `m` (comments) and the joins of `commentJoins`. */
export const commentColumns = sql`
  m.id, m.text, m.user_id, writer.username as user_name, face.key as user_picture,
  m.lesson_id, about.title as lesson_title, m.created_at, m.reply_to, m.edited_at, ${repliesCount} as replies,
  exists (select from lessons l where l.id = m.lesson_id and l.owner_id = m.user_id) as by_author`

/** Joins to `m` (comments) what stands beside its text. */
export const commentJoins = sql`
  join users writer on writer.id = m.user_id
  left join pictures face on face.id = writer.picture_id
  join lesson_contents about on about.lesson_id = m.lesson_id`

/** Which of a lesson's comments: ids, both ends excluded; and those alone that a list of ids names. */
export interface CommentRange {
  readonly before?: number | undefined
  readonly after?: number | undefined
  readonly among?: RawBuilder<number[]> | undefined
}

/**
 * Comments of one lesson as JSON, newest first: a list for each column, null where there are none. An object for each
 * comment, with the names of its fields, takes PostgreSQL longer to write than to find the comments.
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

/** Pairs for json_build_object: each column of the rows `from`, by its name, as a list with the newest row first. */
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
 * Up to 50 comments of a lesson, newest first, for `toComments`: the newest of the range, but after an id alone those
 * that come next, so that who asks on misses none.
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

/** Comments of one lesson as the viewer sees them; null: a guest. */
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

/** A comment as the viewer sees it; null: a guest. `mine` says whether it is theirs. */
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
