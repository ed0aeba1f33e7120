/** Reports from readers to the moderators. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Checkbox, emptyAsAbsent, ImagePath, Instant, Page, text } from '#contract/fields.ts'
import { ById, Search } from '#contract/items.ts'
import { Marked } from '#contract/search.ts'
import { ProfileCard } from '#contract/profile-card.ts'
import { FLAG_TEXT, REASON } from '#contract/limits.ts'

export const FlagKind = z.enum(['lesson', 'course', 'comment', 'message', 'profile', 'rating'], {
  error: 'invalidChoice',
})
export type FlagKind = z.infer<typeof FlagKind>

/** Decisions of moderators about a reported copy. */
export const CopyOutcome = z.enum(['copy', 'fine', 'removed'], { error: 'invalidChoice' })
export type CopyOutcome = z.infer<typeof CopyOutcome>

export const Flag = z.object({
  id: z.number(),
  kind: FlagKind,
  subjectId: z.string(),
  /** The reporter's reason. */
  text: z.string(),
  date: Instant,
  reporter: ProfileCard,
  /** Other open reports of the same thing. */
  others: z.number(),
  /** When and by whom the report was closed. Null while it is open. */
  closed: z.nullable(z.object({ date: Instant, userName: z.string() })),
  /** Only for a report of a copy: the reporter's older lesson. The title is null if it was deleted. */
  original: z.nullable(z.object({ id: z.number(), title: z.nullable(z.string()) })),
  /** Only for a report of a copy that was decided. */
  outcome: z.nullable(CopyOutcome),
  subject: z.object({
    /** True if the reported thing was deleted since. Texts of comments and messages remain. */
    gone: z.boolean(),
    /** The title of the item, or of the item that a comment or rating is about. */
    title: z.nullable(z.string()),
    /** The text of a comment, rating or message, or the description of an item. */
    text: z.nullable(z.string()),
    picture: z.nullable(ImagePath),
    /** The lesson of a comment or rating. */
    lessonId: z.nullable(z.number()),
    /** The course of a rating. */
    courseId: z.nullable(z.number()),
    /** Only for ratings. */
    stars: z.nullable(z.number()),
    /** The author of the reported thing. */
    person: z.nullable(ProfileCard),
    suspended: z.boolean(),
  }),
})
export type Flag = z.infer<typeof Flag>

const Compared = z.object({ id: z.number(), title: z.string(), article: Marked })

/** Null for lessons that were deleted. */
export const Comparison = z.object({
  /** From 0 to 1. */
  likeness: z.nullable(z.number()),
  lesson: z.nullable(Compared),
  original: z.nullable(Compared),
})
export type Comparison = z.infer<typeof Comparison>

export const flags = endpoints({
  list: {
    methods: ['GET'],
    path: '/admin/flags',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ page: z.optional(Page), closed: Checkbox, search: Search }),
    answer: z.array(Flag),
    summary:
      'Reports by readers, newest first: the open ones, or with `closed` the others; `search` matches their texts, and the beginnings of the names of reporters and reported people',
  },
  close: {
    methods: ['POST'],
    path: '/admin/flags/{id}',
    access: 'administrator',
    scope: 'admin',
    input: z.extend(ById, { closed: Checkbox }),
    answer: Flag,
    summary: 'Mark a report as dealt with, and all others of the same thing; or open it again',
  },
  compare: {
    methods: ['GET'],
    path: '/admin/flags/{id}/texts',
    access: 'administrator',
    scope: 'admin',
    input: ById,
    answer: Comparison,
    summary: 'The articles of a reported copy and of the older lesson, with their common parts',
  },
  decide: {
    methods: ['POST'],
    path: '/admin/flags/{id}/outcome',
    access: 'administrator',
    scope: 'admin',
    input: z.extend(ById, {
      outcome: z.optional(CopyOutcome),
      reason: emptyAsAbsent(text(REASON, 'reasonValMs'), 'reasonValMs'),
    }),
    answer: Flag,
    summary: 'Decide a reported copy; `removed` needs a reason. Without an outcome, undo it',
  },
  claim: {
    methods: ['POST'],
    path: '/lesson/claim/{id}',
    access: 'user',
    scope: 'write',
    input: ById,
    answer: z.object({ id: z.number() }),
    summary: "Report a lesson as a copy of the caller's older one, which it resembles",
  },
  create: {
    methods: ['POST'],
    path: '/flag',
    access: 'user',
    scope: 'write',
    status: 202,
    input: z.object({
      kind: FlagKind,
      /** A number, or the user's id for a profile. */
      id: z
        .pipe(
          z.union([z.string(), z.number()], { error: 'invalidId' }),
          // Normalises the id, so that two reports of one thing match.
          z.transform((given) => {
            const id = String(given).toLowerCase()
            // In two steps, because a single expression for both takes seconds for 60,000 zeros and a letter.
            return /^\d+$/.test(id) ? id.replace(/^0+(?=\d)/, '') : id
          }),
        )
        .check(z.regex(/^(?:\d{1,16}|[0-9a-f-]{36})$/i, { error: 'invalidId' })),
      text: text(FLAG_TEXT, 'flagTextMs'),
    }),
    answer: z.object({ id: z.number() }),
    summary: 'Report an item, comment, message or person to the moderators',
  },
})
