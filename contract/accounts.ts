/** The calls of accounts; what judges them stands in accounts.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { AccountsSchemas } from '#contract/accounts.schemas.ts'

export const accounts = calls<AccountsSchemas>()({
  register: { methods: ['POST'], path: '/identity/register', access: 'anybody', form: true },
  login: { methods: ['POST'], path: '/identity/login', access: 'anybody' },
  refresh: { methods: ['POST'], path: '/identity/refresh', access: 'cookie' },
  logout: { methods: ['POST'], path: '/identity/logout', access: 'cookie' },
  revokeSessions: {
    methods: ['POST'],
    path: '/identity/sessions/revoke',
    access: 'user',
    openToSuspended: true,
  },
  changePassword: {
    methods: ['POST'],
    path: '/identity/password/change',
    access: 'user',
    openToSuspended: true,
  },
  erase: { methods: ['POST'], path: '/identity/erase', access: 'user', openToSuspended: true },
  forgotPassword: { methods: ['POST'], path: '/identity/password/forgot', access: 'anybody' },
  resetPassword: { methods: ['POST'], path: '/identity/password/reset', access: 'anybody' },
  confirmEmail: { methods: ['POST'], path: '/identity/email/confirm', access: 'anybody' },
  undoEmail: { methods: ['POST'], path: '/identity/email/undo', access: 'anybody' },
  resendConfirmation: {
    methods: ['POST'],
    path: '/identity/email/resend',
    access: 'user',
    openToSuspended: true,
  },
})
