/** Notices: what happened to a person's things while they were not looking, grouped by item and day. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Ids, Instant, Nothing, Page } from '#contract/fields.schemas.ts'
import { MAIL_WAYS, NOTICE_KINDS, notices as calls } from '#contract/notices.ts'
import { ProfileCard } from '#contract/profile-card.schemas.ts'

const NoticeKind = z.enum(NOTICE_KINDS)

export const Notice = z.object({
  id: z.number(),
  kind: NoticeKind,
  /** Of points the reason in the ledger, of moderation the act; else null. */
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
  /** KB Points, taken or given. */
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

const schemas = {
  all: {
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
  count: { input: Nothing, answer: Unread, summary: 'How many notices the caller has not read' },
  read: {
    input: z.object({
      ids: z.optional(Ids),
      upTo: z.optional(z.iso.datetime({ error: 'invalidInput' })),
    }),
    answer: Unread,
    summary:
      'Mark these notices as read, or without ids all; what changed after `upTo` stays unread',
  },
  settings: {
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
}
export type NoticesSchemas = typeof schemas

/** The calls with what judges them, as the server needs them. */
export const notices = endpoints(calls, schemas)
