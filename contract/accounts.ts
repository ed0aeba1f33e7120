/** The calls of accounts; what judges them stands in accounts.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { AccountsSchemas } from '#contract/accounts.schemas.ts'

export const accounts = calls<AccountsSchemas>()({
  register: {
    methods: ['POST'],
    path: '/identity/register',
    access: 'anybody',
    scope: null,
    form: true,
  },
  login: { methods: ['POST'], path: '/identity/login', access: 'anybody', scope: null },
  refresh: { methods: ['POST'], path: '/identity/refresh', access: 'cookie', scope: null },
  logout: { methods: ['POST'], path: '/identity/logout', access: 'cookie', scope: null },
  revokeSessions: {
    methods: ['POST'],
    path: '/identity/sessions/revoke',
    access: 'user',
    scope: null,
    openToSuspended: true,
  },
  changePassword: {
    methods: ['POST'],
    path: '/identity/password/change',
    access: 'user',
    scope: null,
    openToSuspended: true,
    confirmed: true,
  },
  erase: {
    methods: ['POST'],
    path: '/identity/erase',
    access: 'user',
    scope: null,
    openToSuspended: true,
    confirmed: true,
  },
  forgotPassword: {
    methods: ['POST'],
    path: '/identity/password/forgot',
    access: 'anybody',
    scope: null,
  },
  resetPassword: {
    methods: ['POST'],
    path: '/identity/password/reset',
    access: 'anybody',
    scope: null,
  },
  confirmEmail: {
    methods: ['POST'],
    path: '/identity/email/confirm',
    access: 'anybody',
    scope: null,
  },
  undoEmail: { methods: ['POST'], path: '/identity/email/undo', access: 'anybody', scope: null },
  resendConfirmation: {
    methods: ['POST'],
    path: '/identity/email/resend',
    access: 'user',
    scope: null,
    openToSuspended: true,
  },
})
