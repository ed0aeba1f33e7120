/** Comments over HTTP. */
import { comments } from '#contract/comments.schemas.ts'
import { createComment, deleteComment } from '#server/comments/comments.ts'
import { browseComments, listForDesk } from '#server/comments/desk.ts'
import { readModerated } from '#server/comments/desk-rows.ts'
import { deleteComments, restoreComment, type Moved } from '#server/comments/desk-verbs.ts'
import { judgeComment } from '#server/comments/judging.ts'
import { listComments } from '#server/comments/list.ts'
import type { Db } from '#server/db/connect.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { notFound } from '#server/kernel/errors.ts'
import { createTurns } from '#server/kernel/queues/turns.ts'
import type { Judge } from '#server/opinion/opinion.ts'

export interface CommentNeeds {
  readonly db: Db
  readonly clock: Clock
  /** False: people write as fast as they like (RATE_LIMITS). */
  readonly limited: boolean
  readonly judge: Judge
  /**
   * Called after each write with the tags of the pages that show its number: `lesson:7`, `course:7`. List pages
   * stay as they are for the seconds they are kept, as after a like.
   */
  readonly onChange: (tags: readonly string[]) => void
}

/** Comments of a list without `page`. */
const NEWEST = 1000

export function commentRoutes(needs: CommentNeeds): Route[] {
  const told = ({ lessons, courses }: Moved) => {
    needs.onChange([...lessons.map((id) => `lesson:${id}`), ...courses.map((id) => `course:${id}`)])
  }
  const changed = (lessonId: number, courses: readonly number[]) =>
    told({ lessons: [lessonId], courses })
  const inTurn = createTurns()
  const desk = () => ({ db: needs.db, now: needs.clock.now() })
  return [
    route(comments.create, async ({ viewer }, draft) => {
      const write = () => createComment(needs, viewer, draft)
      const { comment, courses } = await inTurn(viewer.id, write)
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
    route(comments.all, async (context, { page, ...query }) => {
      const asked = page === undefined ? { page: 1, size: NEWEST } : { page }
      const { comments: found, total } = await listForDesk(desk(), context.viewer, query, asked)
      context.setHeader('x-total-count', String(total))
      return found
    }),
    route(comments.browse, ({ viewer }, query) => browseComments(desk(), viewer, query)),
    route(comments.removeMany, async ({ viewer }, { ids }) => {
      told(await deleteComments(needs, viewer, ids))
      return null
    }),
    route(comments.restore, async ({ viewer }, { id }) => {
      told(await restoreComment(needs, viewer, id))
      return readModerated(needs.db, viewer, id)
    }),
    route(comments.judge, async ({ viewer, signal }, { id }) => {
      if (!(await judgeComment(needs, id, signal))) throw notFound('commentNotFound')
      return readModerated(needs.db, viewer, id)
    }),
  ]
}
