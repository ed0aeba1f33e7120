/** What readers report to the moderators. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { ImagePath, Instant, Page, text, Tick } from '#contract/fields.ts'
import { ById } from '#contract/items.ts'
import { ProfileCard } from '#contract/profile-card.ts'
import { FLAG_TEXT } from '#contract/limits.ts'

export const FlagKind = z.enum(['lesson', 'course', 'comment', 'message', 'profile', 'rating'], {
  error: 'invalidChoice',
})
export type FlagKind = z.infer<typeof FlagKind>

/** A report as administrators see it, with the thing reported beside it. */
export const Flag = z.object({
  id: z.number(),
  kind: FlagKind,
  subjectId: z.string(),
  /** What the reporter says. */
  text: z.string(),
  date: Instant,
  reporter: ProfileCard,
  /** How many other open reports there are of the same thing. */
  others: z.number(),
  /** When and by whom it was dealt with; null while it is open. */
  closed: z.nullable(z.object({ date: Instant, userName: z.string() })),
  subject: z.object({
    /** It was deleted since; of a comment and a message the text is still there. */
    gone: z.boolean(),
    /** The title of an item, or of what a comment or rating is about. */
    title: z.nullable(z.string()),
    /** A comment's, rating's or message's text, or an item's description. */
    text: z.nullable(z.string()),
    picture: z.nullable(ImagePath),
    /** The lesson of a comment, or of a rating. */
    lessonId: z.nullable(z.number()),
    /** The course of a rating. */
    courseId: z.nullable(z.number()),
    /** Of a rating. */
    stars: z.nullable(z.number()),
    /** Whose it is. */
    person: z.nullable(ProfileCard),
    suspended: z.boolean(),
  }),
})
export type Flag = z.infer<typeof Flag>

export const flags = endpoints({
  list: {
    methods: ['GET'],
    path: '/admin/flags',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ page: z.optional(Page), closed: Tick }),
    answer: z.array(Flag),
    summary: 'Reports by readers, newest first: the open ones, or with `closed` the others',
  },
  close: {
    methods: ['POST'],
    path: '/admin/flags/{id}',
    access: 'administrator',
    scope: 'admin',
    input: z.extend(ById, { closed: Tick }),
    answer: Flag,
    summary: 'Mark a report as dealt with, and all others of the same thing; or open it again',
  },
  create: {
    methods: ['POST'],
    path: '/flag',
    access: 'user',
    scope: 'write',
    status: 202,
    input: z.object({
      kind: FlagKind,
      /** A number, of a profile the user's id. */
      id: z
        .pipe(
          z.union([z.string(), z.number()], { error: 'invalidId' }),
          // One form for each id, so that two reports of a thing are known to be about the same.
          z.transform((given) => {
            const id = String(given).toLowerCase()
            // In two steps, because one expression for both takes seconds for 60,000 zeros and a letter.
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
