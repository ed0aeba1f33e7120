/** Comments on lessons. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Cursor, DraftId, Id, Ids, ImagePath, Instant, Page, text, Tick } from '#contract/fields.ts'
import { ById, Search } from '#contract/items.ts'
import { COMMENT } from '#contract/limits.ts'

export const Comment = z.object({
  id: z.number(),
  text: z.string(),
  /** The writer's user id; empty when the account was erased. */
  user: z.string(),
  userName: z.string(),
  profilePicture: ImagePath,
  lessonId: z.number(),
  lessonTitle: z.string(),
  date: Instant,
  mine: z.boolean(),
  /** The comment that it answers, deleted or not; null: none. An answer is never answered itself. */
  replyTo: z.nullable(z.number()),
  /** Written by the author of the lesson. */
  byAuthor: z.boolean(),
  /** When its writer changed it; null: never. */
  edited: z.nullable(Instant),
  /** How many answers it has that are there. */
  replies: z.number(),
})
export type Comment = z.infer<typeof Comment>

/** The AI opinion of a comment. */
export const Prediction = z.enum(['POSITIVE', 'NEUTRAL', 'NEGATIVE', 'TOXIC', 'UNKNOWN'], {
  error: 'invalidChoice',
})
export type Prediction = z.infer<typeof Prediction>
export const CommentLanguage = z.enum(['en', 'bg'], { error: 'invalidChoice' })

/** What administrators see in addition to a text: the opinion, which is null until the text is judged, and who deleted it. */
export const moderated = {
  prediction: z.nullable(Prediction),
  /** 0 to 1. */
  confidence: z.nullable(z.number()),
  /** Null too when it is neither of the two. */
  language: z.nullable(CommentLanguage),
  /** The words of the text that decided. */
  why: z.array(z.string()),
  /** Name and version of the model that judged. */
  model: z.nullable(z.string()),
  /** The writer is suspended. */
  suspended: z.boolean(),
  /** When and by whom it was deleted; within 30 days it can be brought back. */
  deleted: z.nullable(z.object({ date: Instant, userName: z.string() })),
}

/** A comment as administrators see it. */
export const ModeratedComment = z.extend(Comment, moderated)
export type ModeratedComment = z.infer<typeof ModeratedComment>

/**
 * `label=NONE`: not judged yet. `deleted`: those that administrators deleted in the last 30 days, in their stead,
 * newest deletion first. `search`: in the text, and in the name of a writer; what has no three letters or digits
 * in a row, and what stands in more than 20,000 comments, is looked for in the newest 50,000, of one label or
 * language in the newest 20,000.
 */
export const ModerationQuery = z.object({
  page: z.optional(Page),
  label: z.optional(z.enum([...Prediction.options, 'NONE'], { error: 'invalidChoice' })),
  language: z.optional(CommentLanguage),
  search: Search,
  deleted: Tick,
})
export type ModerationQuery = z.output<typeof ModerationQuery>

/** How many comments a chip would show; null: more than 10,000, or not counted for so common a search. */
const Count = z.nullable(z.number())
export const CommentCounts = z.object({
  ALL: Count,
  POSITIVE: Count,
  NEUTRAL: Count,
  NEGATIVE: Count,
  TOXIC: Count,
  UNKNOWN: Count,
  NONE: Count,
})
export type CommentCounts = z.infer<typeof CommentCounts>

/** Which comments came back, and why the others did not. */
export const Restored = z.object({
  restored: z.array(z.number()),
  refused: z.array(
    z.object({ id: z.number(), why: z.enum(['commentNotFound', 'commentNotUndoable']) }),
  ),
})
export type Restored = z.infer<typeof Restored>

/** What happened to the comments of a lesson. Asked again, some of it may come a second time. */
export const CommentChanges = z.object({
  /** Newer than `after`, newest first. */
  fresh: z.array(Comment),
  /** With their texts of now, up to 50, newest first. */
  changed: z.array(Comment),
  /** Ids of deleted ones, up to 500. */
  gone: z.array(z.number()),
  /** To be given as `since` the next time. */
  at: z.number(),
})
export type CommentChanges = z.infer<typeof CommentChanges>

const CommentText = text(COMMENT, 'commentValMs')

export const comments = endpoints({
  create: {
    methods: ['POST'],
    path: '/comment/create/{lessonId}',
    access: 'user',
    scope: 'write',
    input: z.object({
      lessonId: Id,
      text: CommentText,
      draftId: DraftId,
      /** A comment of this lesson that is there and answers no other. */
      replyTo: z.optional(Id),
    }),
    answer: Comment,
    summary:
      'Comment on a lesson that the caller owns, bought or administers, or answer a comment there',
  },
  edit: {
    methods: ['PUT'],
    path: '/comment/edit/{id}',
    access: 'user',
    scope: 'write',
    input: z.object({ id: Id, text: CommentText }),
    answer: Comment,
    summary: 'Change the text of a comment: its writer, for 15 minutes after it was written',
  },
  ofLesson: {
    methods: ['GET'],
    path: '/comment/lesson/{id}',
    access: 'anybody',
    scope: 'read',
    input: z.object({ id: Id, before: z.optional(Cursor), after: z.optional(Cursor) }),
    answer: z.array(Comment),
    summary:
      'Up to 50 comments of a lesson, newest first; older than `before`, or newer than `after`',
  },
  changes: {
    methods: ['GET'],
    path: '/comment/changes/{id}',
    access: 'anybody',
    scope: 'read',
    input: z.object({ id: Id, after: z.optional(Cursor), since: z.optional(Id) }),
    answer: CommentChanges,
    summary:
      'What happened under a lesson: up to 50 comments newer than `after`, and what was changed or deleted since the `at` of the answer before; without `since`, in the last minute',
  },
  remove: {
    methods: ['DELETE'],
    path: '/comment/delete/{id}',
    access: 'user',
    scope: 'write',
    input: ById,
    answer: null,
    summary: 'Delete a comment: its writer, or an administrator',
  },
  all: {
    methods: ['GET'],
    path: '/comment/all',
    access: 'administrator',
    scope: 'admin',
    input: ModerationQuery,
    answer: z.array(ModeratedComment),
    summary:
      'All comments, newest first: the newest 1,000, or with `page` that page of 50; the total in X-Total-Count',
  },
  browse: {
    methods: ['GET'],
    path: '/comment/browse',
    access: 'administrator',
    scope: 'admin',
    input: ModerationQuery,
    answer: z.object({
      comments: z.array(ModeratedComment),
      /** Exact up to 10,000, unless there are `more`. */
      total: z.number(),
      more: z.boolean(),
      /** The page that is shown: the last one where there are fewer than asked for. */
      page: z.number(),
      /** At least 1; at most 1,000, of a search 200. */
      pages: z.number(),
      /** With the other filters as they are. */
      labels: CommentCounts,
    }),
    summary: 'A page of comments for the desk, with the numbers of the chips',
  },
  removeMany: {
    methods: ['POST'],
    path: '/comment/delete',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ ids: Ids }),
    answer: null,
    summary: 'Delete up to 100 comments; those that are gone already change nothing',
  },
  restoreMany: {
    methods: ['POST'],
    path: '/comment/restore',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ ids: Ids }),
    answer: Restored,
    summary:
      'Bring back up to 100 comments that administrators deleted less than 30 days ago; one that is refused stops no other',
  },
  restore: {
    methods: ['POST'],
    path: '/comment/restore/{id}',
    access: 'administrator',
    scope: 'admin',
    input: ById,
    answer: ModeratedComment,
    summary: 'Bring back a comment that an administrator deleted less than 30 days ago',
  },
  judge: {
    methods: ['POST'],
    path: '/comment/judge/{id}',
    access: 'administrator',
    scope: 'admin',
    input: ById,
    answer: ModeratedComment,
    summary: 'Form the AI opinion anew',
  },
})
