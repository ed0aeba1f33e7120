/** The calls of notices, and what kinds there are; what judges the calls stands in notices.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { NoticesSchemas } from '#contract/notices.schemas.ts'

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

export const notices = calls<NoticesSchemas>()({
  all: { methods: ['GET'], path: '/notice/all', access: 'user', scope: 'read' },
  count: { methods: ['GET'], path: '/notice/count', access: 'user', scope: 'read' },
  read: {
    methods: ['PUT'],
    path: '/notice/read',
    access: 'user',
    scope: 'write',
    openToSuspended: true,
  },
  settings: { methods: ['GET'], path: '/notice/settings', access: 'user', scope: 'read' },
  choose: { methods: ['PUT'], path: '/notice/settings', access: 'user', scope: 'write' },
})
