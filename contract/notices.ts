/** Notices: what happened to a person's things while they were not looking, grouped by item and day. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Ids, Instant, Nothing, Page } from '#contract/fields.ts'
import { ProfileCard } from '#contract/profile-card.ts'

/** What one is told of, in the order in which it is shown for choosing. */
export const NOTICE_KINDS = [
  'sold',
  'rated',
  'commented',
  'answered',
  'liked',
  'message',
  'points',
  'published',
  'certificate',
  'moderation',
] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

/** How a kind is told by mail. */
export const MAIL_WAYS = ['none', 'digest', 'once'] as const
export type MailWay = (typeof MAIL_WAYS)[number]

/** As long as a person has chosen nothing, all kinds are shown in the product, and these stand in the daily mail. */
export const IN_DIGEST: readonly NoticeKind[] = ['sold', 'rated', 'message', 'moderation']

/** Who has not read a message so long after it came is away, and told of it. */
export const AWAY_MINUTES = 5

/** The hour of the daily mail, in the time zone of the person. */
export const DIGEST_HOUR = 7

const NoticeKind = z.enum(NOTICE_KINDS)

export const Notice = z.object({
  id: z.number(),
  kind: NoticeKind,
  /** For points the ledger's reason, for moderation the act, for a sale `share` if `amount` is the author's share; otherwise null. */
  detail: z.nullable(z.string()),
  /** What it is about; of a message and of what concerns the account nothing. */
  item: z.nullable(
    z.object({
      kind: z.enum(['lesson', 'course']),
      id: z.number(),
      title: z.string(),
      /** It was deleted since. */
      gone: z.boolean(),
    }),
  ),
  /** The newest comment of the group. */
  comment: z.nullable(z.number()),
  /** Who did it last; null for what the site does. */
  actor: z.nullable(ProfileCard),
  /** How often it happened that day: people who like or bought, comments, messages. */
  count: z.number(),
  /** KB Points, taken or given. A sale without a `detail`, noted by an older version, has the price. */
  amount: z.number(),
  /** In an administrator's words. */
  note: z.nullable(z.string()),
  date: Instant,
  read: z.boolean(),
})
export type Notice = z.infer<typeof Notice>

export const NoticesQuery = z.object({ page: z.optional(Page) })

const MailWay = z.enum(MAIL_WAYS)

/** How one kind reaches a person. Neither of the two: not at all. */
export const NoticeChoice = z.object({ kind: NoticeKind, shown: z.boolean(), mail: MailWay })
export type NoticeChoice = z.infer<typeof NoticeChoice>

/** The name of a time zone, as browsers have it; whether there is such a one the server finds out. */
const Zone = z
  .string({ error: 'invalidInput' })
  .check(z.regex(/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/, { error: 'invalidInput' }))

const Unread = z.object({ unread: z.number() })

export const notices = endpoints({
  all: {
    methods: ['GET'],
    path: '/notice/all',
    access: 'user',
    scope: 'read',
    input: NoticesQuery,
    answer: z.object({
      notices: z.array(Notice),
      total: z.number(),
      unread: z.number(),
      /** When this was so; what comes later is not read by marking this as read. */
      asOf: Instant,
    }),
    summary: "A page of the caller's notices of the last 90 days, the newest first",
  },
  count: {
    methods: ['GET'],
    path: '/notice/count',
    access: 'user',
    scope: 'read',
    input: Nothing,
    answer: Unread,
    summary: 'How many notices the caller has not read',
  },
  read: {
    methods: ['PUT'],
    path: '/notice/read',
    access: 'user',
    scope: 'write',
    openToSuspended: true,
    input: z.object({
      ids: z.optional(Ids),
      upTo: z.optional(z.iso.datetime({ error: 'invalidInput' })),
    }),
    answer: Unread,
    summary:
      'Mark these notices as read, or without ids all; what changed after `upTo` stays unread',
  },
  settings: {
    methods: ['GET'],
    path: '/notice/settings',
    access: 'user',
    scope: 'read',
    input: Nothing,
    answer: z.object({
      choices: z.array(NoticeChoice),
      zone: z.string(),
      /** False: it is that of their browser. */
      zoneChosen: z.boolean(),
      /** False: no mail goes out before the caller has confirmed the address. */
      confirmed: z.boolean(),
      /** False: the caller wants no mail that is not needed to use the account. */
      mails: z.boolean(),
    }),
    summary: 'How each kind of notice reaches the caller',
  },
  choose: {
    methods: ['PUT'],
    path: '/notice/settings',
    access: 'user',
    scope: 'write',
    input: z.object({
      choices: z.optional(
        z.array(NoticeChoice).check(z.maxLength(NOTICE_KINDS.length, { error: 'invalidInput' })),
      ),
      /** Chosen by the caller; null: that of their browser again. */
      zone: z.optional(z.nullable(Zone)),
      /** That of the caller's browser, which counts as long as they have chosen none. */
      browserZone: z.optional(Zone),
    }),
    answer: null,
    summary: 'Choose how kinds of notices reach the caller, and the time zone of the daily mail',
  },
})
