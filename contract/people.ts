/** Lists people for administrators and changes their accounts. Suspensions and sign-outs are in moderation.ts. */
import * as z from 'zod/mini'
import { Role } from '#contract/accounts.ts'
import { endpoints } from '#contract/endpoint.ts'
import { Checkbox, Id, Instant, Page, text, UserId } from '#contract/fields.ts'
import { Flag } from '#contract/flags.ts'
import { Search } from '#contract/items.ts'
import { MOST_CORRECTED, REASON } from '#contract/limits.ts'
import { message } from '#contract/message.ts'
import { ItemKind, Ledger, LedgerQuery } from '#contract/points.ts'
import { ProfileCard } from '#contract/profile-card.ts'
import { About } from '#contract/profiles.ts'
import { SignIn } from '#contract/sessions.ts'

/**
 * `search` matches parts of names and addresses, or a whole id. One or two letters match only the beginnings of names
 * and addresses.
 */
export const PeopleFilter = z.object({
  page: z.optional(Page),
  search: Search,
  role: z.optional(Role),
  suspended: Checkbox,
  /** People who haven't confirmed an address. */
  unconfirmed: Checkbox,
  /** People who came by an invitation of this person. */
  invitedBy: z.optional(UserId),
})
export type PeopleFilter = z.output<typeof PeopleFilter>

const account = {
  email: z.string(),
  role: Role,
  suspended: z.boolean(),
  unconfirmed: z.boolean(),
  kbPoints: z.number(),
  joined: Instant,
  /** Last renewal of a session that hasn't ended. Null if there is none. */
  seen: z.nullable(Instant),
}
export const ListedPerson = z.extend(ProfileCard, account)
export type ListedPerson = z.infer<typeof ListedPerson>

export const OwnedItem = z.object({
  kind: ItemKind,
  id: z.number(),
  title: z.string(),
  date: Instant,
})
export type OwnedItem = z.infer<typeof OwnedItem>

export const PersonFile = z.extend(ProfileCard, {
  ...account,
  debt: z.number(),
  /** On their public page. Empty if there is none. */
  about: z.string(),
  /** Receives mails until a changed address is confirmed. */
  previousEmail: z.nullable(z.string()),
  /** Null for people who aren't suspended. */
  suspension: z.nullable(z.object({ date: Instant, reason: z.nullable(z.string()) })),
  /** Since when the sign-in needs a second factor. */
  secondFactor: z.nullable(Instant),
  passkeys: z.number(),
  counts: z.object({ lessons: z.number(), courses: z.number(), comments: z.number() }),
  /** The newest 20. */
  items: z.array(OwnedItem),
  sessions: z.array(SignIn),
  /** The newest 20 reports about the person and their things, and of those that the person wrote. */
  flagsAbout: z.array(Flag),
  flagsBy: z.array(Flag),
})
export type PersonFile = z.infer<typeof PersonFile>

const ByPerson = z.object({ id: UserId })
const Reason = text(REASON, 'reasonValMs')

const amountError = message('correctAmountMs', { most: MOST_CORRECTED })
/** A whole number other than 0, also as digits with a sign, as a form sends it. */
export const CorrectedAmount = z.pipe(
  z.union([z.number(), z.string().check(z.regex(/^[+-]?\d{1,7}$/, { error: amountError }))], {
    error: amountError,
  }),
  z.pipe(
    z.transform(Number),
    z
      .number()
      .check(
        z.refine(
          (amount) =>
            Number.isInteger(amount) && amount !== 0 && Math.abs(amount) <= MOST_CORRECTED,
          { error: amountError },
        ),
      ),
  ),
)

const Corrected = z.object({ kbPoints: z.number(), debt: z.number() })

export const people = endpoints({
  list: {
    methods: ['GET'],
    path: '/admin/people',
    access: 'administrator',
    scope: 'admin',
    input: PeopleFilter,
    answer: z.object({
      people: z.array(ListedPerson),
      /** Up to 500, above which `more` is true. */
      total: z.number(),
      more: z.boolean(),
      /** The person of `invitedBy`. Null without this filter, or if the account is erased. */
      inviter: z.nullable(ProfileCard),
    }),
    summary: 'People, newest first, or those whom a search finds, best matches first; 50 a page',
  },
  show: {
    methods: ['GET'],
    path: '/admin/people/{id}',
    access: 'administrator',
    scope: 'admin',
    input: ByPerson,
    answer: PersonFile,
    summary: 'One person: account, items, sessions, and reports about and by them',
  },
  points: {
    methods: ['GET'],
    path: '/admin/people/{id}/points',
    access: 'administrator',
    scope: 'admin',
    input: z.extend(LedgerQuery, ByPerson.shape),
    answer: Ledger,
    summary: "A person's ledger, newest entry first",
  },
  correct: {
    methods: ['POST'],
    path: '/admin/people/{id}/points',
    access: 'administrator',
    scope: 'admin',
    input: z.extend(ByPerson, {
      amount: CorrectedAmount,
      reason: Reason,
      /** Created by the form: a repeated call corrects once. */
      draftId: UserId,
    }),
    answer: Corrected,
    summary: "Add points to somebody else's ledger, or take some away; the person is told why",
  },
  undoCorrection: {
    methods: ['POST'],
    path: '/admin/people/{id}/points/undo',
    access: 'administrator',
    scope: 'admin',
    input: z.extend(ByPerson, { entry: Id, reason: Reason }),
    answer: Corrected,
    summary: 'Take a correction back by its entry; repeating it changes nothing',
  },
  changeRole: {
    methods: ['POST'],
    path: '/admin/people/{id}/role',
    access: 'administrator',
    scope: null,
    input: z.extend(ByPerson, { role: Role, reason: Reason }),
    answer: null,
    summary: 'Make an administrator, or an administrator a user; never the last one',
  },
  deleteAbout: {
    methods: ['POST'],
    path: '/admin/people/{id}/about/delete',
    access: 'administrator',
    scope: 'admin',
    input: z.extend(ByPerson, { about: About, reason: Reason }),
    answer: null,
    summary:
      'Delete what somebody says about themselves, if it still is `about`; repeating it changes nothing',
  },
  resetFactors: {
    methods: ['POST'],
    path: '/admin/people/{id}/factors/reset',
    access: 'administrator',
    scope: null,
    input: z.extend(ByPerson, { reason: Reason }),
    answer: null,
    summary: 'Remove app, passkeys and recovery codes of somebody who lost them',
  },
})
