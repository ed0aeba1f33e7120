/** Appeals against decisions of moderators, and against rewards that were withheld or taken back automatically. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Checkbox, Instant, Nothing, Page, text } from '#contract/fields.ts'
import { ById, Search } from '#contract/items.ts'
import { APPEAL_TEXT, REASON } from '#contract/limits.ts'
import { ProfileCard } from '#contract/profile-card.ts'

/** `act-7` is an entry of the moderation log, `reward-7` the missing reward of a lesson. */
const ActId = z
  .string({ error: 'invalidId' })
  .check(z.regex(/^(?:act|reward)-[1-9]\d{0,14}$/, { error: 'invalidId' }))

export const APPEALABLE = [
  'commentDeleted',
  'ratingDeleted',
  'lessonEdited',
  'lessonDeleted',
  'courseEdited',
  'courseDeleted',
  'copyConfirmed',
  'copyRemoved',
  'suspended',
  'aboutDeleted',
  'rewardWithheld',
  'rewardWithdrawn',
] as const
export type AppealableAction = (typeof APPEALABLE)[number]

/** The statement of reasons for a decision. */
export const Act = z.object({
  id: ActId,
  action: z.enum(APPEALABLE),
  /** True if no person decided. */
  automated: z.boolean(),
  /** The title, or the beginning of the text, at that time. */
  subject: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  date: Instant,
  /** The end of the time in which the person can appeal. */
  until: Instant,
})
export type Act = z.infer<typeof Act>

export const Appeal = z.object({
  id: z.number(),
  text: z.string(),
  date: Instant,
  /** Null while the appeal is open. */
  decided: z.nullable(z.object({ date: Instant, granted: z.boolean(), text: z.string() })),
})
export type Appeal = z.infer<typeof Appeal>

export const DeskAppeal = z.extend(Appeal, {
  act: Act,
  person: ProfileCard,
  /** The administrator who decided. Null if it was automated. */
  actor: z.nullable(ProfileCard),
  decider: z.nullable(ProfileCard),
})
export type DeskAppeal = z.infer<typeof DeskAppeal>

export const appeals = endpoints({
  show: {
    methods: ['GET'],
    path: '/appeal/act/{act}',
    access: 'user',
    scope: 'read',
    input: z.object({ act: ActId }),
    answer: z.object({ act: Act, appeal: z.nullable(Appeal) }),
    summary: 'A decision about the caller, and their appeal against it',
  },
  create: {
    methods: ['POST'],
    path: '/appeal/create',
    access: 'user',
    scope: 'write',
    openToSuspended: true,
    input: z.object({ act: ActId, text: text(APPEAL_TEXT, 'appealTextMs') }),
    answer: Appeal,
    summary: 'Appeal against a decision about oneself, once, within 180 days',
  },
  all: {
    methods: ['GET'],
    path: '/appeal/all',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ page: z.optional(Page), decided: Checkbox, search: Search }),
    answer: z.array(DeskAppeal),
    summary:
      'Open appeals, oldest first, or with `decided` the others, newest first; 50 a page. `search` matches texts, and the beginnings of names',
  },
  decide: {
    methods: ['POST'],
    path: '/appeal/decide/{id}',
    access: 'administrator',
    scope: 'admin',
    input: z.extend(ById, { granted: Checkbox, text: text(REASON, 'reasonValMs') }),
    answer: DeskAppeal,
    summary: 'Grant an appeal, which restores the content and the points, or decline it',
  },
  figures: {
    methods: ['GET'],
    path: '/appeal/figures',
    access: 'administrator',
    scope: 'admin',
    input: Nothing,
    answer: z.object({
      rows: z.array(
        z.object({
          month: z.string(),
          action: z.enum(APPEALABLE),
          /** Decisions of administrators. Null for automated ones. */
          acts: z.nullable(z.number()),
          appeals: z.number(),
          granted: z.number(),
          declined: z.number(),
          /** Median hours from the appeal to its decision. Null before the first decision. */
          medianHours: z.nullable(z.number()),
        }),
      ),
    }),
    summary: 'Appeals by UTC month and kind of decision, with the median time to an answer',
  },
})
