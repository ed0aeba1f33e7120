/** The calls of letters, reports of problems and the outbox; what judges them stands in mail.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { MailSchemas } from '#contract/mail.schemas.ts'

export const mail = calls<MailSchemas>()({
  send: {
    methods: ['POST'],
    path: '/email/send',
    access: 'anybody',
    scope: 'write',
    openToSuspended: false,
  },
  unsubscribe: { methods: ['POST'], path: '/email/unsubscribe', access: 'anybody', scope: null },
  bugs: { methods: ['GET'], path: '/admin/bugs', access: 'administrator', scope: 'admin' },
  finishBug: {
    methods: ['POST'],
    path: '/admin/bugs/{id}',
    access: 'administrator',
    scope: 'admin',
  },
  outbox: { methods: ['GET'], path: '/admin/mails', access: 'administrator', scope: 'admin' },
  resend: {
    methods: ['POST'],
    path: '/admin/mails/retry',
    access: 'administrator',
    scope: 'admin',
  },
  dropMails: {
    methods: ['POST'],
    path: '/admin/mails/drop',
    access: 'administrator',
    scope: 'admin',
  },
})
