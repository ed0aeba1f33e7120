/** Details of one lesson, cut to what the viewer may see. */
import type { Comment } from '#contract/comments.ts'
import type { OwnerItems } from '#contract/items.ts'
import type { EditedLesson, Lesson, LessonCourse } from '#contract/lessons.ts'
import type { DbOrTx } from '#server/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { rightsOf } from '#server/items/access.ts'
import { toDetails } from '#server/items/cards.ts'
import { toAuthorRecord, toFollowing } from '#server/items/details/owner.ts'
import { showArticle } from '#server/lessons/article.ts'
import { insideOf } from '#server/lessons/details/inside.ts'
import { findEntitlement } from '#server/items/entitlement.ts'
import type { LessonRow, WhenLocked } from '#server/lessons/store.ts'

/** Where videos are shown; their id comes after it. */
export const EMBED = 'https://www.youtube.com/embed/'

function detailsOf(row: LessonRow) {
  return {
    ...toDetails('lesson', row),
    opening: row.opening,
    liked: row.liked,
    bought: row.bought,
    version: row.version,
    commentCount: row.comments,
    inside: insideOf(row),
  }
}

/** The fields that are paid for. */
function paidOf(row: LessonRow) {
  return {
    video: `${EMBED}${row.video_id}`,
    videoStart: row.video_start,
    article: showArticle(row.article),
    resources: row.resources,
  }
}

/** What of a lesson the same statement reads beside its row. */
interface Beside {
  readonly courses: readonly LessonCourse[]
  readonly ownerItems: OwnerItems
  readonly follows: boolean | null
  readonly locked: WhenLocked | null
  /** Those of an open one. */
  readonly comments: () => Comment[]
}

/** Locked or open, as the viewer may see it. */
export function toLesson(row: LessonRow, viewer: Viewer | null, beside: Beside): Lesson {
  const { see, ...rights } = rightsOf(viewer, row)
  const details = {
    ...detailsOf(row),
    courses: [...beside.courses],
    ownerItems: beside.ownerItems,
    ...toFollowing(beside.follows),
  }
  if (!see) {
    if (beside.locked === null) throw new Error('a locked lesson was read as an open one')
    return {
      ...details,
      can: { see: false, ...rights },
      comments: row.comments,
      ...beside.locked,
      author: toAuthorRecord(beside.locked.author),
    }
  }
  return {
    ...details,
    ...paidOf(row),
    can: { see: true, ...rights },
    comments: beside.comments(),
  }
}

/** For who has just written it: everything, and their kbPoints. */
export function toEditedLesson(row: LessonRow, viewer: Viewer): EditedLesson {
  return {
    ...detailsOf(row),
    ...paidOf(row),
    can: rightsOf(viewer, row),
    comments: row.comments,
    kbPoints: row.kb_points ?? 0,
  }
}

/** For what lies outside the answer, such as a resource's file. False where there is no such lesson. */
export async function maySeeLesson(
  db: DbOrTx,
  viewer: Viewer | null,
  lessonId: number,
): Promise<boolean> {
  const entitlement = await findEntitlement(db, lessonId, viewer)
  return entitlement !== null && rightsOf(viewer, entitlement).see
}
