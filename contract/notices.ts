/** Notices about what happened to a person's things, grouped by item and day. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Ids, Instant, Nothing, Page } from '#contract/fields.ts'
import { ProfileCard } from '#contract/profile-card.ts'

/** In the order in which settings list them. */
export const NOTICE_KINDS = [
  'sold',
  'rated',
  'commented',
  'answered',
  'captions',
  'liked',
  'message',
  'points',
  'published',
  'certificate',
  'video',
  'moderation',
] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

export const MAIL_WAYS = ['none', 'digest', 'once'] as const
export type MailWay = (typeof MAIL_WAYS)[number]

/** The kinds in the daily mail by default. All kinds are shown in the product by default. */
export const IN_DIGEST: readonly NoticeKind[] = [
  'sold',
  'rated',
  'captions',
  'message',
  'video',
  'moderation',
]

/** A message that is unread for this long creates a notice. */
export const AWAY_MINUTES = 5

/** The hour of the daily mail in the person's time zone. */
export const DIGEST_HOUR = 7

const NoticeKind = z.enum(NOTICE_KINDS)

export const Notice = z.object({
  id: z.number(),
  kind: NoticeKind,
  /**
   * For points the ledger's reason, for captions `offered`, `accepted` or `declined`, for moderation the action or `copyFound`, for a sale `share` if `amount` is the
   * author's share, or `returned`; otherwise null.
   */
  detail: z.nullable(z.string()),
  /** Null for messages and account notices. */
  item: z.nullable(
    z.object({
      kind: z.enum(['lesson', 'course']),
      id: z.number(),
      title: z.string(),
      /** True if the item was deleted since. */
      gone: z.boolean(),
    }),
  ),
  /** The newest comment of the group. */
  comment: z.nullable(z.number()),
  /** The decision of a moderator that the person can appeal against, see appeals.ts. */
  act: z.nullable(z.string()),
  /** The last person who acted, or null if the site did. */
  actor: z.nullable(ProfileCard),
  /** How often it happened that day: people who liked or bought, comments, messages. */
  count: z.number(),
  /** KB Points, gained or lost. */
  amount: z.number(),
  /** The administrator's reason. */
  note: z.nullable(z.string()),
  date: Instant,
  read: z.boolean(),
})
export type Notice = z.infer<typeof Notice>

export const NoticesQuery = z.object({ page: z.optional(Page) })

const MailWay = z.enum(MAIL_WAYS)

/** If neither is set, the person is not notified of this kind. */
export const NoticeChoice = z.object({ kind: NoticeKind, shown: z.boolean(), mail: MailWay })
export type NoticeChoice = z.infer<typeof NoticeChoice>

/** A time zone name as browsers report it. The server checks that it exists. */
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
      /** Marking as read up to this time leaves later notices unread. */
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
      /** False if the browser's time zone applies. */
      zoneChosen: z.boolean(),
      /** False if no mail is sent because the caller has not confirmed the address. */
      confirmed: z.boolean(),
      /** False if the caller opted out of all optional mail. */
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
      /** Chosen by the caller; null returns to the browser's. */
      zone: z.optional(z.nullable(Zone)),
      /** The browser's time zone, which applies until the caller chooses one. */
      browserZone: z.optional(Zone),
    }),
    answer: null,
    summary: 'Choose how kinds of notices reach the caller, and the time zone of the daily mail',
  },
})
