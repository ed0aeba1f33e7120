/** Comments over HTTP. */
import { comments } from '#contract/comments.ts'
import { createComment, deleteComment } from '#server/comments/comments.ts'
import { listComments } from '#server/comments/list.ts'
import type { Db } from '#server/db/connect.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { notFound } from '#server/kernel/errors.ts'

export interface CommentNeeds {
  readonly db: Db
  readonly clock: Clock
  /** False: people write as fast as they like (RATE_LIMITS). */
  readonly limited: boolean
  /**
   * Called after each write with the tags of the pages that show its number: `lesson:7`, `course:7`. List pages
   * stay as they are for the seconds they are kept, as after a like.
   */
  readonly onChange: (tags: readonly string[]) => void
}

export function commentRoutes(needs: CommentNeeds): Route[] {
  const changed = (lessonId: number, courses: readonly number[]) => {
    needs.onChange([`lesson:${lessonId}`, ...courses.map((id) => `course:${id}`)])
  }
  return [
    route(comments.create, async ({ viewer }, draft) => {
      const { comment, courses } = await createComment(needs, viewer, draft)
      changed(comment.lessonId, courses)
      return comment
    }),
    route(comments.ofLesson, ({ viewer }, { id, ...range }) =>
      listComments(needs.db, viewer, id, range),
    ),
    route(comments.remove, async ({ viewer }, { id }) => {
      const { lessonId, courses } = await deleteComment(needs, viewer, id)
      changed(lessonId, courses)
      return null
    }),
    route(comments.all, async () => {
      throw notFound()
    }),
    route(comments.browse, async () => {
      throw notFound()
    }),
    route(comments.removeMany, async () => {
      throw notFound()
    }),
    route(comments.restore, async () => {
      throw notFound()
    }),
    route(comments.judge, async () => {
      throw notFound()
    }),
  ]
}
