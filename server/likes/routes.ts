/** Likes over HTTP. */
import { courses } from '#contract/courses.ts'
import { lessons } from '#contract/lessons.ts'
import { likes } from '#contract/likes.ts'
import type { ItemKind } from '#contract/points.ts'
import { courseCards } from '#server/courses/list.ts'
import { route, type Route, type SignedInContext } from '#server/kernel/call.ts'
import type { Core } from '#server/kernel/core.ts'
import { createLiker } from '#server/likes/likes.ts'
import { lessonCards } from '#server/lessons/list.ts'
import { listLiked } from '#server/likes/list.ts'

/** The calls of likes. */
export function routes(core: Core): Route[] {
  const { reads } = core
  const like = createLiker(core)
  const likeOf = (context: SignedInContext, kind: ItemKind, itemId: number) => {
    // The contract has a GET for it too, which nothing on the way may answer.
    context.setHeader('cache-control', 'no-store')
    return like({ userId: context.viewer.id, kind, itemId })
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
