import { courses } from '#contract/courses.ts'
import { lessons } from '#contract/lessons.ts'
import { CHANGES_AT_ONCE } from '#contract/limits.ts'
import { likes } from '#contract/likes.ts'
import type { ItemKind } from '#contract/points.ts'
import { courseCards } from '#server/items/courses/list.ts'
import { route, type Route, type SignedInContext } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { like } from '#server/items/likes/likes.ts'
import { Queue } from '#server/kernel/limits/queue.ts'
import { lessonCards } from '#server/items/lessons/list.ts'
import { listLiked } from '#server/items/likes/list.ts'

export function routes(core: Core): Route[] {
  const { reads, events } = core
  // Requests for an item wait here rather than for its lock, because that would occupy connections.
  const queue = new Queue(CHANGES_AT_ONCE)
  const likeOf = async (context: SignedInContext, kind: ItemKind, itemId: number) => {
    // The contract also has a GET for it, whose response must not be cached.
    context.setHeader('cache-control', 'no-store')
    const liking = { userId: context.viewer.id, kind, itemId }
    const { likes: counted, event } = await queue.run(`${kind} ${itemId}`, () => like(core, liking))
    events.publish(event)
    return { likes: counted }
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
