import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import {
  Cursor,
  DraftId,
  Id,
  Ids,
  ImagePath,
  Instant,
  Page,
  text,
  Checkbox,
} from '#contract/fields.ts'
import { DETECTED_LANGUAGES } from '#contract/items.ts'
import { ById, Search } from '#contract/items.ts'
import { COMMENT } from '#contract/limits.ts'

export const Comment = z.object({
  id: z.number(),
  text: z.string(),
  /** The writer's user id. Empty if the account was erased. */
  user: z.string(),
  userName: z.string(),
  profilePicture: ImagePath,
  lessonId: z.number(),
  lessonTitle: z.string(),
  date: Instant,
  mine: z.boolean(),
  /** Id of the comment that this one replies to, even if that was deleted. Replies can't have replies. */
  replyTo: z.nullable(z.number()),
  /** True if the lesson's author wrote it. */
  byAuthor: z.boolean(),
  /** When its writer last edited it, or null. */
  edited: z.nullable(Instant),
  /** Number of replies that are not deleted. */
  replies: z.number(),
})
export type Comment = z.infer<typeof Comment>

export const Prediction = z.enum(['POSITIVE', 'NEUTRAL', 'NEGATIVE', 'TOXIC', 'UNKNOWN'], {
  error: 'invalidChoice',
})
export type Prediction = z.infer<typeof Prediction>
export const CommentLanguage = z.enum(DETECTED_LANGUAGES, { error: 'invalidChoice' })

/** Fields for administrators only. The AI opinion is null until the text is judged. */
export const moderated = {
  prediction: z.nullable(Prediction),
  /** From 0 to 1. */
  confidence: z.nullable(z.number()),
  /** Null also for a text in another language. */
  language: z.nullable(CommentLanguage),
  /** The words that decided the opinion. */
  why: z.array(z.string()),
  /** Name and version of the model. */
  model: z.nullable(z.string()),
  /** True if the writer is suspended. */
  suspended: z.boolean(),
  /** When and by whom it was deleted. It can be restored within 30 days. */
  deleted: z.nullable(z.object({ date: Instant, userName: z.string() })),
}

export const ModeratedComment = z.extend(Comment, moderated)
export type ModeratedComment = z.infer<typeof ModeratedComment>

/**
 * `label=NONE` lists unjudged comments; `deleted` lists those that administrators deleted in the last 30 days,
 * newest deletion first. `search` matches texts and writers' names. A term without three letters or digits in a
 * row, or with more than 20,000 matches, searches only the newest 50,000 comments (20,000 with a label or
 * language).
 */
export const ModerationQuery = z.object({
  page: z.optional(Page),
  label: z.optional(z.enum([...Prediction.options, 'NONE'], { error: 'invalidChoice' })),
  language: z.optional(CommentLanguage),
  search: Search,
  deleted: Checkbox,
})
export type ModerationQuery = z.output<typeof ModerationQuery>

/** Matches of a filter chip. Null above 10,000, or if the search term is too common to count. */
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

/** The restored comments, and why others could not be restored. */
export const Restored = z.object({
  restored: z.array(z.number()),
  refused: z.array(
    z.object({ id: z.number(), why: z.enum(['commentNotFound', 'commentNotUndoable']) }),
  ),
})
export type Restored = z.infer<typeof Restored>

/** Changes to the comments of a lesson. Consecutive calls may return the same change twice. */
export const CommentChanges = z.object({
  /** Newer than `after`, newest first. */
  fresh: z.array(Comment),
  /** Edited comments with their current texts, up to 50, newest first. */
  changed: z.array(Comment),
  /** Ids of deleted comments, up to 500. */
  gone: z.array(z.number()),
  /** Pass it as `since` in the next call. */
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
      /** Must be a comment of this lesson that exists and is not a reply. */
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
      /** Exact up to 10,000; `more` is true above that. */
      total: z.number(),
      more: z.boolean(),
      /** The returned page, which is the last one if the requested page doesn't exist. */
      page: z.number(),
      /** From 1 to 1,000; at most 200 for a search. */
      pages: z.number(),
      /** Counted with the other filters applied. */
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
