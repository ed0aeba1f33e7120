import { courses } from '#contract/courses.ts'
import { lessons } from '#contract/lessons.ts'
import { likes } from '#contract/likes.ts'
import type { ItemKind } from '#contract/points.ts'
import { courseCards } from '#server/items/courses/list.ts'
import { route, type Route, type SignedInContext } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { like } from '#server/items/likes/likes.ts'
import { createTurns } from '#server/kernel/queues/turns.ts'
import { lessonCards } from '#server/items/lessons/list.ts'
import { listLiked } from '#server/items/likes/list.ts'

/** Maximum number of requests that wait for one item. Requests per person have a limit of their own. */
const LIKES_WAITING = 1000

export function routes(core: Core): Route[] {
  const { reads, changes } = core
  // Requests for an item wait here rather than for its lock, because that would occupy connections.
  const inTurn = createTurns({ mostWaiting: LIKES_WAITING })
  const likeOf = async (context: SignedInContext, kind: ItemKind, itemId: number) => {
    // The contract also has a GET for it, whose response must not be cached.
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
