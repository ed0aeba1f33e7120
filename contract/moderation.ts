import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Instant, Nothing, Page, text, UserId } from '#contract/fields.ts'
import { Search } from '#contract/items.ts'
import { REASON } from '#contract/limits.ts'
import { ProfileCard } from '#contract/profile-card.ts'

export const Action = z.enum([
  'commentDeleted',
  'commentRestored',
  'ratingDeleted',
  'ratingRestored',
  'ratingAnswerDeleted',
  'lessonEdited',
  'lessonDeleted',
  'courseEdited',
  'courseDeleted',
  'suspended',
  'unsuspended',
  'signedOut',
  'aboutDeleted',
  'pointsCorrected',
  'correctionUndone',
  'administratorMade',
  'administratorRemoved',
  'factorsReset',
  'flagClosed',
  'flagReopened',
  'copyConfirmed',
  'copyDenied',
  'copyRemoved',
  'copyUndone',
  'bugDone',
  'bugReopened',
  'jobsRetried',
  'jobsDropped',
  'mailsRetried',
  'mailsDropped',
  'webhookCreated',
  'webhookEdited',
  'webhookRenewed',
  'webhookDeleted',
  'certificateRevoked',
  'appealGranted',
  'appealDeclined',
  'settingChanged',
  'invitationCreated',
  'invitationWithdrawn',
])
export type Action = z.infer<typeof Action>

export const LogEntry = z.object({
  id: z.number(),
  date: Instant,
  /** The person who acted. */
  actor: ProfileCard,
  action: Action,
  /** The id of the affected thing, or null. */
  subjectId: z.nullable(z.string()),
  /** The title or the beginning of the text at that time. */
  subject: z.nullable(z.string()),
  /** The affected person. */
  person: z.nullable(ProfileCard),
  reason: z.nullable(z.string()),
})
export type LogEntry = z.infer<typeof LogEntry>

/** Subjects by which the desk's log can be filtered. */
export const LogTopic = z.enum([
  'comments',
  'ratings',
  'items',
  'people',
  'flags',
  'appeals',
  'bugs',
  'mails',
  'jobs',
  'webhooks',
  'settings',
  'invitations',
])
export type LogTopic = z.infer<typeof LogTopic>

export const TOPIC_OF: Readonly<Record<Action, LogTopic>> = {
  commentDeleted: 'comments',
  commentRestored: 'comments',
  ratingDeleted: 'ratings',
  ratingRestored: 'ratings',
  ratingAnswerDeleted: 'ratings',
  lessonEdited: 'items',
  lessonDeleted: 'items',
  courseEdited: 'items',
  courseDeleted: 'items',
  suspended: 'people',
  unsuspended: 'people',
  signedOut: 'people',
  aboutDeleted: 'people',
  pointsCorrected: 'people',
  correctionUndone: 'people',
  administratorMade: 'people',
  administratorRemoved: 'people',
  factorsReset: 'people',
  certificateRevoked: 'people',
  flagClosed: 'flags',
  flagReopened: 'flags',
  copyConfirmed: 'flags',
  copyDenied: 'flags',
  copyRemoved: 'flags',
  copyUndone: 'flags',
  appealGranted: 'appeals',
  appealDeclined: 'appeals',
  bugDone: 'bugs',
  bugReopened: 'bugs',
  jobsRetried: 'jobs',
  jobsDropped: 'jobs',
  mailsRetried: 'mails',
  mailsDropped: 'mails',
  webhookCreated: 'webhooks',
  webhookEdited: 'webhooks',
  webhookRenewed: 'webhooks',
  webhookDeleted: 'webhooks',
  settingChanged: 'settings',
  invitationCreated: 'invitations',
  invitationWithdrawn: 'invitations',
}

export const LogQuery = z.object({
  page: z.optional(Page),
  /** The id of the affected person. */
  person: z.optional(UserId),
  /** The id of the administrator. */
  actor: z.optional(UserId),
  about: z.optional(LogTopic),
  /** Matches subjects, reasons, and the beginnings of names. */
  search: Search,
})
export type LogQuery = z.output<typeof LogQuery>

const Reason = text(REASON, 'reasonValMs')

export const moderation = endpoints({
  counts: {
    methods: ['GET'],
    path: '/admin/counts',
    access: 'administrator',
    scope: 'admin',
    input: Nothing,
    answer: z.object({
      flags: z.number(),
      bugs: z.number(),
      appeals: z.number(),
      mails: z.number(),
      jobs: z.number(),
      version: z.string(),
    }),
    summary:
      'What waits for an administrator: open reports, open problems, open appeals, failed mails and jobs; and which version runs',
  },
  log: {
    methods: ['GET'],
    path: '/admin/log',
    access: 'administrator',
    scope: 'admin',
    input: LogQuery,
    answer: z.array(LogEntry),
    summary: 'Who did what, newest first; with `person`, to whom; with `actor`, by whom; 50 a page',
  },
  suspend: {
    methods: ['POST'],
    path: '/admin/suspend/{id}',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ id: UserId, reason: Reason }),
    answer: null,
    summary: 'Suspend a person: they read and export, but write nothing',
  },
  unsuspend: {
    methods: ['POST'],
    path: '/admin/unsuspend/{id}',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ id: UserId, reason: Reason }),
    answer: null,
    summary: 'Lift a suspension',
  },
  signOut: {
    methods: ['POST'],
    path: '/admin/sign-out/{id}',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ id: UserId, reason: Reason }),
    answer: null,
    summary:
      'Sign a person out everywhere: all their sessions and access tokens end, and they may sign in again',
  },
})
