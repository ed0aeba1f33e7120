/** Restores items that administrators deleted, for appeals. Buyers were refunded, so they don't get them back. */
import type { ItemKind } from '#contract/points.ts'
import { takeCover } from '#server/items/shared/cover.ts'
import { deleteContents, lockRefunded } from '#server/items/shared/endings.ts'
import {
  findRestorableLessons,
  findUnrestorable,
  takeRestorable,
} from '#server/people/moderation/restorable.ts'
import { unvanishCourse } from '#server/items/courses/restoring.ts'
import { vanishCommentsOf } from '#server/items/comments/deletions.ts'
import { articleText, cleanArticle } from '#server/items/lessons/article.ts'
import {
  dropLessonParts,
  hideLesson,
  lockLesson,
  unvanishLesson,
} from '#server/items/lessons/store.ts'
import { isRemovedAsCopy } from '#server/items/flags/store.ts'
import { lockItems } from '#server/items/ratings/leaving.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { removalOf } from '#server/operate/removal/removal.ts'
import { findSharesDue } from '#server/operate/removal/shares.ts'
import { reviveFingerprint } from '#server/people/points/fingerprints.ts'
import { conflict } from '#server/kernel/errors.ts'
import { compareAgain, withholdSameVideo } from '#server/people/points/relisting.ts'
import { returnRewards } from '#server/people/points/rewards.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { releaseUpload } from '#server/platform/files/resources.ts'

/** Returns false if the contents are gone. @throws Refusal 409 while buyers are being refunded */
export async function restoreItem(
  tx: Tx,
  { kind, id, at }: { readonly kind: ItemKind; readonly id: number; readonly at: Date },
): Promise<boolean> {
  return kind === 'lesson' ? restoreLesson(tx, id, at) : restoreCourse(tx, id, at)
}

async function restoreLesson(tx: Tx, id: number, at: Date): Promise<boolean> {
  if (!(await isSettled(tx, 'lesson', id))) throw conflict('appealWaits')
  const item = await takeRestorable(tx, 'lesson', id)
  if (item === null) return false
  const { ownerId: userId, deletedAt } = item
  // Their writers were refunded. The job may not have come to it yet.
  await vanishCommentsOf(tx, id)
  await unvanishLesson(tx, id, at)
  if (await isRewardDue(tx, id, deletedAt, at))
    await returnRewards(tx, { userId, at }, removalOf('lesson', id, deletedAt))
  // The decision that it is a copy still stands, and has its own appeal.
  if (await isRemovedAsCopy(tx, id)) await hideLesson(tx, id, at)
  return true
}

/** Returns false if the author was rewarded for the same content meanwhile. */
async function isRewardDue(tx: Tx, lessonId: number, goneAt: Date, at: Date): Promise<boolean> {
  const lesson = await lockLesson(tx, lessonId)
  if (lesson === null) return false
  const { ownerId: userId, title, videoId, createdAt: publishedAt } = lesson
  const text = articleText(cleanArticle(lesson.article))
  const content = { lessonId, userId, title, videoId, articleText: text, at }
  if (await withholdSameVideo(tx, content)) return false
  // Without a fingerprint, nothing was compared with it since.
  if (await reviveFingerprint(tx, lessonId, goneAt)) return true
  return compareAgain(tx, { ...content, publishedAt, goneAt })
}

/** The course has those of its lessons that still exist. */
async function restoreCourse(tx: Tx, id: number, at: Date): Promise<boolean> {
  await lockItems(tx, 'lesson', await findRestorableLessons(tx, id))
  if (!(await isSettled(tx, 'course', id))) throw conflict('appealWaits')
  const item = await takeRestorable(tx, 'course', id)
  if (item === null) return false
  const { ownerId: userId, lessonIds, deletedAt } = item
  if (!(await unvanishCourse(tx, id, lessonIds))) return false
  await returnRewards(tx, { userId, at }, removalOf('course', id, deletedAt))
  return true
}

/** Locks the item. Returns false while its buyers are being refunded. */
async function isSettled(tx: Tx, kind: ItemKind, id: number): Promise<boolean> {
  if (!(await lockRefunded(tx, kind, id))) return false
  return kind === 'course' || (await findSharesDue(tx, id)).length === 0
}

const BATCH = 100

/** Deletes the stored contents that no appeal can restore any more. Each item has its own transaction. */
export async function dropUnrestorable({
  db,
  clock,
}: {
  readonly db: Db
  readonly clock: Clock
}): Promise<void> {
  for (const { kind, id } of await findUnrestorable(db, clock.now(), BATCH))
    await db.transaction().execute((tx) => drop(tx, kind, id))
}

async function drop(tx: Tx, kind: ItemKind, id: number): Promise<void> {
  if (!(await isSettled(tx, kind, id)) || (await takeRestorable(tx, kind, id)) === null) return
  if (kind === 'lesson') {
    await dropLessonParts(tx, id)
    await releaseUpload(tx, id)
  } else await takeCover(tx, 'course', id)
  await deleteContents(tx, kind, id)
}
