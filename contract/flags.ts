/** Reports from readers to the moderators. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { ImagePath, Instant, Page, text, Checkbox } from '#contract/fields.ts'
import { ById } from '#contract/items.ts'
import { ProfileCard } from '#contract/profile-card.ts'
import { FLAG_TEXT } from '#contract/limits.ts'

export const FlagKind = z.enum(['lesson', 'course', 'comment', 'message', 'profile', 'rating'], {
  error: 'invalidChoice',
})
export type FlagKind = z.infer<typeof FlagKind>

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

export const flags = endpoints({
  list: {
    methods: ['GET'],
    path: '/admin/flags',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ page: z.optional(Page), closed: Checkbox }),
    answer: z.array(Flag),
    summary: 'Reports by readers, newest first: the open ones, or with `closed` the others',
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
