/** SQL of single lessons. counters.ts and views.ts change their numbers; server/items/shared has what kinds share. */
import { sql, type RawBuilder } from 'kysely'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { OwnerItems } from '#contract/items.ts'
import type { LockedLesson } from '#contract/lessons.ts'
import { forgetQuestions, questionsOf } from '#server/items/checks/store.ts'
import { captionLanguagesOf, dropOpenOffers, forgetCaptions } from '#server/items/captions/store.ts'
import { takeCover } from '#server/items/shared/cover.ts'
import { finishRefunds, leaveToBuyers } from '#server/items/shared/endings.ts'
import { authorRecord, followsOwner, ownerItems } from '#server/items/shared/details/owner.ts'
import { isThere, type Entitlement } from '#server/items/shared/access.ts'
import { cardJoins, detailColumns, type CardRow } from '#server/items/lessons/cards.ts'
import type { CommentColumns } from '#server/items/lessons/comments.ts'
import { unknownComments, type Known } from '#server/items/lessons/discussions.ts'
import {
  resourceBytes,
  unlocks,
  videoSeconds,
  type InsideRow,
} from '#server/items/lessons/details/inside.ts'
import { coursesOf } from '#server/items/lessons/details/in-courses.ts'
import { mustRecord } from '#server/items/lessons/openings.ts'
import { returnFacts, type ReturnFacts } from '#server/items/shared/details/returnable.ts'
import { foldTag, foldTerm } from '#contract/fold.ts'
import {
  isFreePreview,
  isOpenThroughCourse,
  isReadable,
  isVideoGone,
  seemsOpen,
  toAsker,
} from '#server/items/shared/entitlement.ts'
import { mayTrust } from '#server/people/points/trust.ts'
import { markWords } from '#server/items/words/indexing.ts'
import { detectLanguage } from '#opinion'

/** Everything that details may contain; details.ts decides what the viewer gets. */
export interface LessonRow extends Omit<CardRow, 'free'>, Entitlement, InsideRow {
  readonly bought: boolean
  readonly liked: boolean
  readonly video_id: string
  readonly video_start: number
  readonly version: number
  /** The viewer's kbPoints; null for a guest. */
  readonly kb_points: number | null
}

/** The newest comments; null if they are cached, or if the viewer certainly can't read them. */
export interface DiscussedLessonRow extends LessonRow {
  readonly newest: CommentColumns | null
  /** The courses that contain it, as JSON; null if they are cached. */
  readonly courses: string | null
  readonly owner_items: OwnerItems
  readonly follows_owner: boolean | null
  /** The data of locked pages; null if the lesson is certainly open to the viewer. */
  readonly locked: WhenLocked | null
  /** Null without a recent purchase. */
  readonly return_facts: ReturnFacts | null
  readonly must_record: boolean
}

export type WhenLocked = Pick<LockedLesson, 'author' | 'unlocks' | 'videoSeconds'> & {
  readonly mayTrust: boolean
}

function lessonOf(id: number, viewerId: string | null) {
  return sql<LessonRow>`
    select ${detailColumns}, c.video_id, c.video_start, c.article, c.article_minutes, c.resources, c.version, ${resourceBytes} as resource_bytes, ${questionsOf(sql`l.id`)} as questions,
      ${captionLanguagesOf(sql`l.id`)} as captions,
      l.owner_id as "ownerId", ${isOpenThroughCourse(viewerId)} as "openThroughCourse", ${isFreePreview('l')} as "freePreview",
      l.kept_for_buyers as "leftToBuyers",
      (select greatest(0, pb.net) from point_balances pb where pb.user_id = ${viewerId}::uuid) as kb_points
    from lessons l ${cardJoins(viewerId)}
    where l.id = ${id} and ${isReadable('l')}`
}

/** Reads a living lesson with its owner, pictures and the viewer's entitlement in one round trip. */
export async function findLesson(
  db: DbOrTx,
  id: number,
  viewerId: string | null,
): Promise<LessonRow | null> {
  const { rows } = await lessonOf(id, viewerId).execute(db)
  const [row] = rows
  return row === undefined || row.leftToBuyers === true ? null : row
}

/** Reads a lesson that the viewer can see, with its newest comments unless they are cached, in one round trip. */
export async function findDiscussedLesson(
  db: Db,
  id: number,
  viewer: Viewer | null,
  options: Known & {
    readonly knowsCourses: boolean
    readonly allowsTrust: boolean
    readonly now: Date
  },
): Promise<DiscussedLessonRow | null> {
  const { knownCount, knownNewest, knowsCourses, allowsTrust, now } = options
  const asked = { knownCount, knownNewest, ...toAsker(viewer) }
  const { rows } = await sql<DiscussedLessonRow>`
    with lesson as materialized (${lessonOf(id, asked.viewerId)})
    select lesson.*, case when ${seemsOpen(asked, sql`lesson`)} then ${unknownComments(
      { id: sql`lesson.id`, count: sql`lesson.comments` },
      asked,
    )} end as newest,
      case when not ${knowsCourses}::boolean then ${coursesOf(sql`lesson.id`)} end as courses,
      ${ownerItems(sql`lesson.owner_id`)} as owner_items, ${followsOwner(sql`lesson.owner_id`, asked.viewerId)} as follows_owner,
      case when ${seemsOpen(asked, sql`lesson`)} then null else json_build_object(
        'author', ${authorRecord(sql`lesson.owner_id`)}, 'unlocks', ${unlocks}, 'videoSeconds', ${videoSeconds},
        'mayTrust', ${allowsTrust}::boolean and ${mayTrust(asked.viewerId, sql`lesson.price`)}
      ) end as locked,
      ${isVideoGone(sql`lesson.id`)} as "videoGone", ${mustRecord(asked.viewerId, now)} as must_record,
      ${returnFacts('lesson', sql`lesson.id`, asked.viewerId, now)} as return_facts
    from lesson`.execute(db)
  const [row] = rows
  return row !== undefined && isThere(viewer, row) ? row : null
}

export interface LessonFields {
  readonly title: string
  readonly description: string
  readonly opening: string | null
  readonly tags: readonly string[]
  readonly videoId: string
  readonly videoStart: number
  readonly article: string
  readonly articleMinutes: number
  readonly resources: string
}

const languageOf = ({ title, description, opening }: LessonFields) =>
  detectLanguage([title, description, opening])

const foldTags = (tags: readonly string[]) => [...new Set(tags.map(foldTag))]

/** Returns the new lesson's id. */
export async function insertLesson(
  tx: Tx,
  lesson: LessonFields & {
    ownerId: string
    pictureId: number | null
    price: number
    createdAt: Date
  },
): Promise<number> {
  const { rows } = await sql<{ lesson_id: number }>`
    with lesson as (
      insert into lessons (owner_id, title_folded, price, created_at)
      values (${lesson.ownerId}, ${foldTerm(lesson.title)}, ${lesson.price}, ${lesson.createdAt}) returning id
    ), tagged as (
      insert into lesson_tags (tag, lesson_id)
      select given.tag, lesson.id from lesson, unnest(${foldTags(lesson.tags)}::text[]) given (tag)
    ), checked as (
      insert into video_checks (lesson_id, due_at) select id, ${lesson.createdAt}::timestamptz from lesson
    )
    insert into lesson_contents (lesson_id, title, description, opening, language, tags, picture_id, video_id, video_start, article, article_minutes, resources)
    select id, ${lesson.title}, ${lesson.description}, ${lesson.opening}::text, ${languageOf(lesson)}::text, ${lesson.tags}::text[], ${lesson.pictureId}::bigint, ${lesson.videoId}, ${lesson.videoStart}::integer,
      ${lesson.article}, ${lesson.articleMinutes}::integer, ${lesson.resources}
    from lesson returning lesson_id`.execute(tx)
  const id = rows[0]?.lesson_id
  if (id === undefined) throw new Error('a lesson was not inserted')
  return id
}

export interface LockedRow extends LessonFields {
  readonly ownerId: string
  readonly pictureId: number | null
  readonly version: number
  readonly price: number
  readonly createdAt: Date
}

/**
 * Locks a living lesson, so that nobody changes, deletes or buys it until the transaction ends; null if missing.
 */
export function lockLesson(tx: Tx, id: number): Promise<LockedRow | null> {
  return lock(tx, id, sql`l.deleted_at is null`)
}

/** Also locks a lesson that was left to its buyers. */
export function lockReadableLesson(tx: Tx, id: number): Promise<LockedRow | null> {
  return lock(tx, id, isReadable('l'))
}

async function lock(tx: Tx, id: number, condition: RawBuilder<unknown>): Promise<LockedRow | null> {
  const { rows } = await sql<LockedRow>`
    select l.owner_id as "ownerId", l.price, l.created_at as "createdAt", c.version, c.title, c.description, c.opening, c.tags, c.video_id as "videoId", c.video_start as "videoStart", c.article,
      c.article_minutes as "articleMinutes", c.resources, c.picture_id as "pictureId"
    from lessons l join lesson_contents c on c.lesson_id = l.id
    where l.id = ${id} and ${condition} for no key update of l, c`.execute(tx)
  return rows[0] ?? null
}

/** Writes all fields of a locked lesson and increases its version. An undefined `pictureId` keeps the picture. */
export async function updateLesson(
  tx: Tx,
  id: number,
  lesson: LessonFields & { pictureId: number | null | undefined; editedAt: Date },
): Promise<void> {
  await sql`
    with titled as (update lessons set title_folded = ${foldTerm(lesson.title)} where id = ${id} and title_folded <> ${foldTerm(lesson.title)}),
    wanted as (select given.tag from unnest(${foldTags(lesson.tags)}::text[]) given (tag)),
    untagged as (delete from lesson_tags where lesson_id = ${id} and tag not in (select tag from wanted)),
    tagged as (insert into lesson_tags (tag, lesson_id) select tag, ${id}::bigint from wanted on conflict do nothing)
    update lesson_contents set
      title = ${lesson.title}, description = ${lesson.description}, opening = ${lesson.opening}::text, language = ${languageOf(lesson)}::text, tags = ${lesson.tags}::text[],
      picture_id = coalesce(${lesson.pictureId ?? null}::bigint, picture_id), video_id = ${lesson.videoId}, video_start = ${lesson.videoStart}::integer,
      article = ${lesson.article}, article_minutes = ${lesson.articleMinutes}::integer, resources = ${lesson.resources},
      version = version + 1, edited_at = ${lesson.editedAt}
    where lesson_id = ${id}`.execute(tx)
}

export async function updateResources(tx: Tx, id: number, resources: string): Promise<void> {
  await tx.updateTable('lesson_contents').set({ resources }).where('lesson_id', '=', id).execute()
}

/** Deletes a locked lesson. What outstanding refunds need is kept until they are paid. */
export async function vanishLesson(
  tx: Tx,
  id: number,
  options: { deletedAt: Date; refundsDue: boolean; isRestorable: boolean },
): Promise<void> {
  await tx
    .updateTable('lessons')
    .set({ deleted_at: options.deletedAt, kept_for_buyers: false, refunds_due: true })
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('lesson_tags').where('lesson_id', '=', id).execute()
  if (!options.isRestorable) await dropLessonParts(tx, id)
  await tx.deleteFrom('video_checks').where('lesson_id', '=', id).execute()
  await markWords(tx, 'lesson', id)
  if (!options.refundsDue) await finishRefunds(tx, 'lesson', id)
}

/** Drops the cover, the questions and the captions of a deleted lesson. */
export async function dropLessonParts(tx: Tx, id: number): Promise<void> {
  await takeCover(tx, 'lesson', id)
  await forgetQuestions(tx, id)
  await forgetCaptions(tx, id)
}

/** Lists a locked, deleted lesson again. Its contents must still be there. */
export async function unvanishLesson(tx: Tx, id: number, at: Date): Promise<void> {
  const { rows } = await sql<{ tags: string[] }>`
    with shown as (
      update lessons l set deleted_at = null,
        comments = (select count(*) from comments m where m.lesson_id = l.id and m.deleted_at is null)
      where l.id = ${id} returning l.id
    ),
    checked as (
      insert into video_checks (lesson_id, due_at) select id, ${at}::timestamptz from shown on conflict do nothing
    )
    select c.tags from lesson_contents c join shown on shown.id = c.lesson_id`.execute(tx)
  await sql`
    insert into lesson_tags (tag, lesson_id)
    select tag, ${id}::bigint from unnest(${foldTags(rows[0]?.tags ?? [])}::text[]) tag
    on conflict do nothing`.execute(tx)
  await markWords(tx, 'lesson', id)
}

/** Removes a locked lesson for everybody except its buyers. Its cover is drawn from now on. */
export async function leaveLessonToBuyers(tx: Tx, id: number, deletedAt: Date): Promise<void> {
  await leaveToBuyers(tx, 'lesson', id, deletedAt)
  await dropOpenOffers(tx, id)
  await markWords(tx, 'lesson', id)
  await tx.deleteFrom('lesson_tags').where('lesson_id', '=', id).execute()
}

/** Hides a locked lesson from everybody except its buyers, until `showLesson`. */
export async function hideLesson(tx: Tx, id: number, hiddenAt: Date): Promise<void> {
  await sql`update lessons set deleted_at = ${hiddenAt}, kept_for_buyers = true where id = ${id}`.execute(
    tx,
  )
  await tx.deleteFrom('lesson_tags').where('lesson_id', '=', id).execute()
  await markWords(tx, 'lesson', id)
}

/** Undoes `hideLesson`. Does nothing when its owner's account was erased meanwhile. */
export async function showLesson(tx: Tx, id: number, tags: readonly string[]): Promise<void> {
  await sql`
    with shown as (
      update lessons l set deleted_at = null, kept_for_buyers = false from users owner
      where l.id = ${id} and l.kept_for_buyers and owner.id = l.owner_id and owner.erased_at is null returning l.id
    )
    insert into lesson_tags (tag, lesson_id) select tag, shown.id from shown, unnest(${foldTags(tags)}::text[]) tag`.execute(
    tx,
  )
  await markWords(tx, 'lesson', id)
}

/** For imported content that has been viewed before. */
export async function setViews(db: DbOrTx, id: number, views: number): Promise<void> {
  await db.updateTable('lessons').set({ views }).where('id', '=', id).execute()
}
