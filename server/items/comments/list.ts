/** Lists the comments of a lesson or a person that the viewer may read. */
import { sql, type RawBuilder } from 'kysely'
import type { Comment, CommentChanges } from '#contract/comments.ts'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import type { Db } from '#server/platform/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { forbidden, unauthorized } from '#server/kernel/errors.ts'
import { isThere, rightsOf, type Entitlement } from '#server/items/shared/access.ts'
import {
  columnLists,
  newestComments,
  repliesCount,
  toComment,
  toComments,
  type CommentColumns,
  type CommentRange,
  type CommentRow,
} from '#server/items/lessons/comments.ts'
import {
  isReadable,
  seemsOpen,
  entitlementColumns,
  toAsker,
  type Asker,
} from '#server/items/shared/entitlement.ts'
import { unknownComments, type Discussions } from '#server/items/lessons/discussions.ts'
import { lessonGone } from '#server/items/lessons/writing.ts'

/**
 * Returns up to 50 comments, newest first, in one round trip.
 * @throws Refusal 404 when the lesson doesn't exist, 401 and 403 when the viewer may not see it
 */
export async function listComments(
  { db, discussions }: { readonly db: Db; readonly discussions: Discussions },
  viewer: Viewer | null,
  lessonId: number,
  range: CommentRange,
): Promise<Comment[]> {
  const { before, after } = range
  const discussion = discussions.begin(lessonId)
  const { knownCount, knownNewest } = discussion.known
  const asker = { knownCount, knownNewest, ...toAsker(viewer) }
  const found = { id: sql`lesson.id`, count: sql`lesson.comments` }
  // Only pages without a range are cached.
  const isRange = before !== undefined || after !== undefined
  const comments = isRange ? newestComments(found.id, range) : unknownComments(found, asker)
  const { rows } = await sql<PageRow>`
    with lesson as materialized (
      select l.id, l.comments, ${entitlementColumns(asker.viewerId)} from lessons l
      where l.id = ${lessonId} and ${isReadable('l')}
    )
    select lesson.*, case when ${seemsOpen(asker, sql`lesson`)} then ${comments} end as newest
    from lesson`.execute(db)
  const [lesson] = rows
  if (lesson === undefined || !isThere(viewer, lesson)) throw lessonGone()
  if (!rightsOf(viewer, lesson).see) throw viewer === null ? unauthorized() : forbidden()
  if (!isRange) return discussion.shownTo(viewer, lesson)
  return lesson.newest === null ? [] : toComments(lesson.newest, viewer)
}

type PageRow = Entitlement & { id: number; comments: number; newest: CommentColumns | null }

/** The first request of a page gets the changes of the last minute, because the page itself is newer. */
const FIRST_LOOK_MS = 60_000
/** A transaction commits some time after its timestamp, so this much is repeated in the next response. */
const TOLD_AGAIN_MS = 15_000
/** Maximum number of changed and deleted comments in a response. A page that missed more loads again. */
const MOST_TOUCHED = 500

/** Returns new, changed and deleted comments of a lesson in one round trip. @throws Refusal as `listComments` */
export async function listChanges(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  viewer: Viewer | null,
  {
    id: lessonId,
    after,
    since,
  }: { id: number; after?: number | undefined; since?: number | undefined },
): Promise<CommentChanges> {
  const now = clock.now().getTime()
  const changedSince = new Date(Math.min(now, since ?? now - FIRST_LOOK_MS))
  const lesson = await findChanges(db, toAsker(viewer), { lessonId, after, changedSince })
  if (lesson === undefined || !isThere(viewer, lesson)) throw lessonGone()
  if (!rightsOf(viewer, lesson).see) throw viewer === null ? unauthorized() : forbidden()
  return {
    fresh: lesson.fresh === null ? [] : toComments(lesson.fresh, viewer),
    changed: lesson.changed === null ? [] : toComments(lesson.changed, viewer),
    gone: [...(lesson.gone ?? [])],
    at: now - TOLD_AGAIN_MS,
  }
}

type ChangesRow = Entitlement & {
  fresh: CommentColumns | null
  changed: CommentColumns | null
  gone: readonly number[] | null
}

async function findChanges(
  db: Db,
  asker: Asker,
  {
    lessonId,
    after,
    changedSince,
  }: { lessonId: number; after: number | undefined; changedSince: Date },
): Promise<ChangesRow | undefined> {
  const id = sql`lesson.id`
  const mayRead = seemsOpen(asker, sql`lesson`)
  // Sorted like its own index; otherwise the planner would walk all comments.
  const among = sql<number[]>`array(
    select touched.id from touched where touched.stays order by touched.id desc limit ${sql.lit(ROWS_PER_PAGE)})`
  const { rows } = await sql<ChangesRow>`
    with lesson as materialized (
      select l.id, ${entitlementColumns(asker.viewerId)} from lessons l
      where l.id = ${lessonId} and ${isReadable('l')}
    ), touched as materialized (
      select m.id, m.deleted_at is null as stays from comments m
      where m.lesson_id = ${lessonId}
        and greatest(m.edited_at, m.deleted_at) > ${changedSince}
      order by m.lesson_id desc, greatest(m.edited_at, m.deleted_at) desc limit ${sql.lit(MOST_TOUCHED)}
    )
    select lesson.*,
      case when ${mayRead} then ${newestComments(id, { after })} end as fresh,
      case when ${mayRead} then ${newestComments(id, { among })} end as changed,
      case when ${mayRead} then (
        select json_agg(touched.id) from touched where not touched.stays) end as gone
    from lesson`.execute(db)
  return rows[0]
}

/** Number of a person's comments, besides those of earlier pages, that are searched for readable ones. */
const LOOKED_THROUGH = 2000

/** A page of a person's comments as lists, with the entitlement to each lesson; null if there are none. */
export interface PersonsCommentColumns {
  readonly id: readonly number[] | null
  readonly text: readonly string[]
  readonly lesson_id: readonly number[]
  readonly lesson_title: readonly string[]
  readonly created_at: readonly string[]
  readonly reply_to: readonly (number | null)[]
  readonly edited_at: readonly (string | null)[]
  readonly replies: readonly number[]
  readonly ownerId: readonly string[]
  readonly bought: readonly boolean[]
  readonly openThroughCourse: readonly boolean[]
  readonly freePreview: readonly boolean[]
}

const COLUMNS = [
  'id',
  'text',
  'lesson_id',
  'lesson_title',
  'created_at',
  'reply_to',
  'edited_at',
  'replies',
  'ownerId',
  'bought',
  'openThroughCourse',
  'freePreview',
] as const satisfies readonly (keyof PersonsCommentColumns)[]

export type CommentSlice = {
  /** Number of comments on earlier pages. */
  readonly commentsBefore: number
  readonly commentsLookedThrough: number
}

/** Pages count from 1. */
export function commentSlice(page: number): CommentSlice {
  const before = (page - 1) * ROWS_PER_PAGE
  return { commentsBefore: before, commentsLookedThrough: before + LOOKED_THROUGH }
}

/** Selects a page of a person's comments on lessons that may be open to the viewer, for `toReadable`. */
export function newestCommentsOf(
  userId: string,
  asker: Asker & CommentSlice,
): RawBuilder<PersonsCommentColumns> {
  const { commentsBefore, commentsLookedThrough } = asker
  return sql<PersonsCommentColumns>`(
    select json_build_object(${columnLists('readable', COLUMNS)}) from (
      select m.*, about.title as lesson_title, ${repliesCount} as replies from (
        select newest.* from (
          select m.id, m.text, m.lesson_id, m.created_at, m.reply_to, m.edited_at,
            ${entitlementColumns(asker.viewerId)}
          from comments m join lessons l on l.id = m.lesson_id and l.deleted_at is null
          where m.user_id = ${userId} and m.deleted_at is null
          order by m.id desc limit ${commentsLookedThrough}
        ) newest
        where ${seemsOpen(asker, sql`newest`)}
        order by newest.id desc limit ${sql.lit(ROWS_PER_PAGE)} offset ${commentsBefore}
      ) m join lesson_contents about on about.lesson_id = m.lesson_id
    ) readable
  )`
}

/** The writer of the comments. */
export type Writer = Pick<CommentRow, 'user_id' | 'user_name' | 'user_picture'>

/** Keeps those that the viewer may read. */
export function toReadable(
  columns: PersonsCommentColumns,
  writer: Writer,
  viewer: Viewer | null,
): Comment[] {
  return (columns.id ?? []).flatMap((id, place) => {
    const lesson: Entitlement = {
      ownerId: columns.ownerId[place] ?? '',
      bought: columns.bought[place] === true,
      openThroughCourse: columns.openThroughCourse[place] === true,
      freePreview: columns.freePreview[place] === true,
    }
    if (!rightsOf(viewer, lesson).see) return []
    const row = {
      ...writer,
      id,
      text: columns.text[place] ?? '',
      lesson_id: columns.lesson_id[place] ?? 0,
      lesson_title: columns.lesson_title[place] ?? '',
      created_at: columns.created_at[place] ?? '',
      reply_to: columns.reply_to[place] ?? null,
      edited_at: columns.edited_at[place] ?? null,
      replies: columns.replies[place] ?? 0,
      by_author: lesson.ownerId === writer.user_id,
    }
    return [toComment(row, viewer)]
  })
}
