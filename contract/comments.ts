/** Comments on lessons. */
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { DraftId, Id, ImagePath, Instant, text } from '#contract/fields.ts'
import { ById } from '#contract/items.ts'
import { COMMENT } from '#contract/limits.ts'

export const Comment = z.object({
  id: z.number(),
  text: z.string(),
  /** The writer's user id. */
  user: z.string(),
  userName: z.string(),
  profilePicture: ImagePath,
  lessonId: z.number(),
  lessonTitle: z.string(),
  date: Instant,
  mine: z.boolean(),
})
export type Comment = z.infer<typeof Comment>

const CommentText = text(COMMENT, 'commentValMs')

export const comments = {
  create: endpoint({
    methods: ['POST'],
    path: '/comment/create/{lessonId}',
    access: 'user',
    input: z.object({ lessonId: Id, text: CommentText, draftId: DraftId }),
    answer: Comment,
    summary: 'Comment on a lesson that the caller owns, bought or administers',
  }),
  ofLesson: endpoint({
    methods: ['GET'],
    path: '/comment/lesson/{id}',
    access: 'anybody',
    input: z.object({ id: Id, before: z.optional(Id), after: z.optional(Id) }),
    answer: z.array(Comment),
    summary:
      'Up to 50 comments of a lesson, newest first; older than `before`, or newer than `after`',
  }),
  remove: endpoint({
    methods: ['DELETE'],
    path: '/comment/delete/{id}',
    access: 'user',
    input: ById,
    answer: null,
    summary: 'Delete a comment: its writer, or an administrator',
  }),
}
