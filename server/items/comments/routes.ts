import { CHANGES_AT_ONCE } from '#contract/limits.ts'
import { comments } from '#contract/comments.ts'
import { deleteComment, editComment } from '#server/items/comments/comments.ts'
import { browseComments, listForDesk } from '#server/items/comments/desk.ts'
import { readModerated } from '#server/items/comments/desk-rows.ts'
import {
  deleteComments,
  restoreComment,
  restoreComments,
  type AffectedItems,
} from '#server/items/comments/desk-verbs.ts'
import { judgeComment } from '#server/items/comments/judging.ts'
import { listChanges, listComments } from '#server/items/comments/list.ts'
import { createComment } from '#server/items/comments/writing.ts'
import { route, type Route, type Viewer } from '#server/kernel/call.ts'
import { courseRef, lessonRef } from '#server/platform/events/catalogue.ts'
import type { Core } from '#server/platform/core/core.ts'
import { notFound } from '#server/kernel/errors.ts'
import { Queue } from '#server/kernel/limits/queue.ts'
import type { Discussions } from '#server/items/lessons/discussions.ts'
import { createJudge } from '#server/people/opinion/opinion.ts'

/** Maximum number of comments in a list without `page`. */
const UNPAGED_LIMIT = 1000

export function routes(core: Core & { readonly discussions: Discussions }): Route[] {
  const { db, reads, clock, events, config, log } = core
  const needs = { db, clock, limited: config.RATE_LIMITS === 'on', judge: createJudge(config, log) }
  const publish = ({ lessons, courses }: AffectedItems) => {
    const items = [...lessons.map(lessonRef), ...courses.map(courseRef)]
    events.publish({ type: 'items.counted', items })
  }
  // Queues requests for one lesson in memory: waiting for the row lock would occupy a database connection.
  const queue = new Queue(CHANGES_AT_ONCE)
  const deskNeeds = (viewer: Viewer) => ({ db: reads.of(viewer), now: clock.now() })
  return [
    route(comments.create, async ({ viewer }, draft) => {
      const { lessonId } = draft
      const { comment, event } = await queue.run(String(lessonId), () =>
        createComment(needs, viewer, draft),
      )
      if (event !== null) events.publish(event)
      return comment
    }),
    route(comments.edit, async ({ viewer }, draft) => {
      const comment = await editComment(needs, viewer, draft)
      publish({ lessons: [comment.lessonId], courses: [] })
      return comment
    }),
    route(comments.ofLesson, ({ viewer }, { id, ...range }) =>
      listComments(core, viewer, id, range),
    ),
    route(comments.changes, ({ viewer }, asked) => listChanges(core, viewer, asked)),
    route(comments.remove, async ({ viewer }, { id }) => {
      const { lessonId, courses } = await deleteComment(needs, viewer, id)
      publish({ lessons: [lessonId], courses })
      return null
    }),
    route(comments.all, async (context, { page, ...query }) => {
      const asked = page === undefined ? { page: 1, size: UNPAGED_LIMIT } : { page }
      const { comments: found, total } = await listForDesk(
        deskNeeds(context.viewer),
        context.viewer,
        query,
        asked,
      )
      context.setHeader('x-total-count', String(total))
      return found
    }),
    route(comments.browse, ({ viewer }, query) => browseComments(deskNeeds(viewer), viewer, query)),
    route(comments.removeMany, async ({ viewer }, { ids }) => {
      publish(await deleteComments(needs, viewer, ids))
      return null
    }),
    route(comments.restoreMany, async ({ viewer }, { ids }) => {
      const { restored, refused, ...moved } = await restoreComments(needs, viewer, ids)
      publish(moved)
      return { restored, refused }
    }),
    route(comments.restore, async ({ viewer }, { id }) => {
      publish(await restoreComment(needs, viewer, id))
      return readModerated(db, viewer, id)
    }),
    route(comments.judge, async ({ viewer, signal }, { id }) => {
      if (!(await judgeComment(needs, id, signal))) throw notFound('commentNotFound')
      return readModerated(db, viewer, id)
    }),
  ]
}
