/** Likes over HTTP. */
import { courses } from '#contract/courses.schemas.ts'
import { lessons } from '#contract/lessons.schemas.ts'
import { likes } from '#contract/likes.schemas.ts'
import type { ItemKind } from '#contract/points.schemas.ts'
import type { Db } from '#server/db/connect.ts'
import { route, type Route, type SignedInContext } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { like } from '#server/likes/likes.ts'
import { listLikedCourses, listLikedLessons } from '#server/likes/list.ts'

export interface LikeNeeds {
  readonly db: Db
  readonly clock: Clock
  /**
   * Called after each like with the tag of the item's own page: `course:7`, `lesson:7`. List pages stay as they are
   * for the seconds they are kept: thrown away with each like, a busy bazaar would never answer one from memory.
   */
  readonly onChange: (tags: readonly string[]) => void
}

export function likeRoutes(needs: LikeNeeds): Route[] {
  const likeOf = async (context: SignedInContext, kind: ItemKind, id: number) => {
    // The contract has a GET for it too, which nothing on the way may answer.
    context.setHeader('cache-control', 'no-store')
    const answer = await like(needs, context.viewer, kind, id)
    needs.onChange([`${kind}:${id}`])
    return answer
  }
  return [
    route(likes.liked, async ({ viewer }) => {
      const [ofLessons, ofCourses] = await Promise.all([
        listLikedLessons(needs.db, viewer),
        listLikedCourses(needs.db, viewer),
      ])
      return { lessons: ofLessons, courses: ofCourses }
    }),
    route(lessons.like, (context, { id }) => likeOf(context, 'lesson', id)),
    route(courses.like, (context, { id }) => likeOf(context, 'course', id)),
  ]
}
