/** E-mail that people send through the site, problem reports, and the outbox for administrators. */
import * as z from 'zod/mini'
import { Email } from '#contract/accounts.ts'
import { endpoints } from '#contract/endpoint.ts'
import {
  emptyAsAbsent,
  Id,
  Ids,
  ImagePath,
  Instant,
  line,
  Page,
  text,
  Checkbox,
} from '#contract/fields.ts'
import { Search } from '#contract/items.ts'
import { MAIL_TEXT, TOPIC } from '#contract/limits.ts'
import { message } from '#contract/message.ts'

/** One line, because a line break would start another mail header. */
const Topic = z.pipe(
  z
    .string({ error: message('topicValMsg', { ...TOPIC }) })
    .check(
      z.refine((topic) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(topic.trim()), { error: 'topicLineMs' }),
    ),
  line(TOPIC, 'topicValMsg'),
)

/** An e-mail that a person writes through the site. */
export const Letter = z.object({
  senderEmail: Email,
  topic: Topic,
  emailText: text(MAIL_TEXT, 'emailValMsg'),
  /** The address of a lesson's owner or of the site's operator (OWNER_EMAIL). `lessonId` takes precedence. */
  ownerEmail: emptyAsAbsent(Email, 'provideEmail'),
  lessonId: emptyAsAbsent(Id, 'invalidId'),
  kind: z.optional(z.enum(['contact', 'report'], { error: 'invalidChoice' })),
})
export type Letter = z.output<typeof Letter>

/** A problem with the site that somebody reported. Reports of content are in flags.ts. */
export const BugReport = z.object({
  id: z.number(),
  senderEmail: z.string(),
  /** The reporter's user id, name and picture. Null for a guest. */
  user: z.nullable(z.string()),
  userName: z.nullable(z.string()),
  profilePicture: z.nullable(ImagePath),
  topic: z.string(),
  text: z.string(),
  date: Instant,
  /** When and by whom the report was closed. Null while it is open. */
  done: z.nullable(z.object({ date: Instant, userName: z.string() })),
})
export type BugReport = z.infer<typeof BugReport>

/**
 * A mail is `held` until the recipient confirms the address. A mail to an .example address is `kept` and never
 * sent.
 */
export const MailState = z.enum(['held', 'waiting', 'kept', 'sent', 'failed'], {
  error: 'invalidChoice',
})
export type MailState = z.infer<typeof MailState>

/** A mail in the outbox. Its text is left out, because letters are private. */
export const OutboxMail = z.object({
  id: z.number(),
  state: MailState,
  /** A code: `letter`, `report` or `notice`. */
  kind: z.string(),
  address: z.string(),
  subject: z.string(),
  date: Instant,
  attempts: z.number(),
  lastError: z.nullable(z.string()),
  sent: z.nullable(Instant),
})
export type OutboxMail = z.infer<typeof OutboxMail>

export const mail = endpoints({
  send: {
    methods: ['POST'],
    path: '/email/send',
    access: 'anybody',
    scope: 'write',
    openToSuspended: false,
    status: 202,
    input: Letter,
    answer: z.object({}),
    summary: "Write to a lesson's owner (signed in), or report a problem (anybody)",
  },
  unsubscribe: {
    methods: ['POST'],
    path: '/email/unsubscribe',
    access: 'anybody',
    scope: null,
    input: z.object({ token: z.string().check(z.maxLength(200, { error: 'linkInvalid' })) }),
    answer: null,
    summary: 'Unsubscribe from optional mails with the token from one of them',
  },
  bugs: {
    methods: ['GET'],
    path: '/admin/bugs',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ page: z.optional(Page), done: Checkbox, search: Search }),
    answer: z.array(BugReport),
    summary: 'List open problem reports, newest first; with `done`, the closed ones',
  },
  finishBug: {
    methods: ['POST'],
    path: '/admin/bugs/{id}',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ id: Id, done: Checkbox }),
    answer: BugReport,
    summary: 'Close a problem report, or reopen it',
  },
  outbox: {
    methods: ['GET'],
    path: '/admin/mails',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ page: z.optional(Page), state: z.optional(MailState), search: Search }),
    answer: z.object({
      mails: z.array(OutboxMail),
      counts: z.object({
        held: z.number(),
        waiting: z.number(),
        kept: z.number(),
        failed: z.number(),
      }),
      /** False without SMTP_URL: mails are stored but not sent. */
      sends: z.boolean(),
    }),
    summary:
      'List the outbox, newest first, without dropped mails, 50 per page; `search` matches parts of addresses',
  },
  resend: {
    methods: ['POST'],
    path: '/admin/mails/retry',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ ids: Ids }),
    answer: null,
    summary: 'Retry failed mails',
  },
  dropMails: {
    methods: ['POST'],
    path: '/admin/mails/drop',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ ids: Ids }),
    answer: null,
    summary: 'Drop failed mails and delete their texts',
  },
})
