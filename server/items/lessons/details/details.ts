/** Reduces the details of a lesson to what the viewer may see. */
import type { Comment } from '#contract/comments.ts'
import type { OwnerItems, Returnable } from '#contract/items.ts'
import type { EditedLesson, Lesson, LessonCourse } from '#contract/lessons.ts'
import type { DbOrTx } from '#server/platform/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { rightsOf } from '#server/items/shared/access.ts'
import { toDetails } from '#server/items/shared/cards.ts'
import { toAuthorRecord, toFollowing } from '#server/items/shared/details/owner.ts'
import { showArticle } from '#server/items/lessons/article.ts'
import { lessonFields } from '#server/items/lessons/cards.ts'
import { insideOf } from '#server/items/lessons/details/inside.ts'
import { findEntitlement } from '#server/items/shared/entitlement.ts'
import type { LessonRow, WhenLocked } from '#server/items/lessons/store.ts'

/** The prefix of a video's address, followed by its id. */
export const EMBED = 'https://www.youtube.com/embed/'

function detailsOf(row: LessonRow) {
  return {
    ...toDetails('lesson', row),
    ...lessonFields(row),
    liked: row.liked,
    bought: row.bought,
    version: row.version,
    commentCount: row.comments,
    inside: insideOf(row),
  }
}

/** The fields that must be unlocked. */
function paidOf(row: LessonRow) {
  return {
    video: `${EMBED}${row.video_id}`,
    videoStart: row.video_start,
    article: showArticle(row.article),
    resources: row.resources,
  }
}

/** Other results of the statement that reads a lesson's row. */
interface Related {
  readonly courses: readonly LessonCourse[]
  readonly ownerItems: OwnerItems
  readonly follows: boolean | null
  readonly locked: WhenLocked | null
  readonly returnable: Returnable
  /** Called only for an open lesson. */
  readonly comments: () => Comment[]
}

export function toLesson(row: LessonRow, viewer: Viewer | null, related: Related): Lesson {
  const { see, ...rights } = rightsOf(viewer, row)
  const details = {
    ...detailsOf(row),
    courses: [...related.courses],
    ownerItems: related.ownerItems,
    ...toFollowing(related.follows),
    returnable: related.returnable,
    videoGone: row.videoGone === true,
  }
  if (!see) {
    if (related.locked === null) throw new Error('a locked lesson was read as an open one')
    const { mayTrust, author, ...locked } = related.locked
    return {
      ...details,
      can: { see: false, ...rights, trust: rights.buy && mayTrust },
      comments: row.comments,
      ...locked,
      author: toAuthorRecord(author),
    }
  }
  return {
    ...details,
    ...paidOf(row),
    can: { see: true, ...rights },
    comments: related.comments(),
  }
}

/** The response to the author of a change: the whole lesson and their kbPoints. */
export function toEditedLesson(row: LessonRow, viewer: Viewer): EditedLesson {
  return {
    ...detailsOf(row),
    ...paidOf(row),
    can: rightsOf(viewer, row),
    comments: row.comments,
    kbPoints: row.kb_points ?? 0,
  }
}

/** For what is not part of the response, such as a resource's file. Returns false if the lesson doesn't exist. */
export async function maySeeLesson(
  db: DbOrTx,
  viewer: Viewer | null,
  lessonId: number,
): Promise<boolean> {
  const entitlement = await findEntitlement(db, lessonId, viewer)
  return entitlement !== null && rightsOf(viewer, entitlement).see
}
