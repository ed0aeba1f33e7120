/** Likes over HTTP. */
import { courses } from '#contract/courses.ts'
import { lessons } from '#contract/lessons.ts'
import { likes } from '#contract/likes.ts'
import type { ItemKind } from '#contract/points.ts'
import { courseCards } from '#server/courses/list.ts'
import { route, type Route, type SignedInContext } from '#server/kernel/call.ts'
import type { Core } from '#server/kernel/core.ts'
import { like } from '#server/likes/likes.ts'
import { createTurns } from '#server/kernel/queues/turns.ts'
import { lessonCards } from '#server/lessons/list.ts'
import { listLiked } from '#server/likes/list.ts'

/** Likes of one item that wait for each other; how many calls a person has under way has its own limit. */
const LIKES_WAITING = 1000

/** The calls of likes. */
export function routes(core: Core): Route[] {
  const { reads, changes } = core
  // Here, and not for the lock of the item, which would hold a connection.
  const inTurn = createTurns({ mostWaiting: LIKES_WAITING })
  const likeOf = async (context: SignedInContext, kind: ItemKind, itemId: number) => {
    // The contract has a GET for it too, which nothing on the way may answer.
    context.setHeader('cache-control', 'no-store')
    const liking = { userId: context.viewer.id, kind, itemId }
    const liked = await inTurn(`${kind} ${itemId}`, () => like(core, liking))
    changes.publish({ kind: 'numbersChanged', items: [{ kind, id: itemId }] })
    return liked
  }
  return [
    route(likes.liked, async ({ viewer }) => {
      const [ofLessons, ofCourses] = await Promise.all([
        listLiked(reads.of(viewer), lessonCards, viewer),
        listLiked(reads.of(viewer), courseCards, viewer),
      ])
      return { lessons: ofLessons, courses: ofCourses }
    }),
    route(lessons.like, (context, { id }) => likeOf(context, 'lesson', id)),
    route(courses.like, (context, { id }) => likeOf(context, 'course', id)),
  ]
}
