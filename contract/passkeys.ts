/** The calls of passkeys; what judges them stands in passkeys.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { PasskeysSchemas } from '#contract/passkeys.schemas.ts'

export const passkeys = calls<PasskeysSchemas>()({
  list: {
    methods: ['GET'],
    path: '/identity/passkeys',
    access: 'user',
    scope: null,
    openToFactorless: true,
  },
  beginAdding: {
    methods: ['POST'],
    path: '/identity/passkeys/begin',
    access: 'user',
    scope: null,
    openToSuspended: true,
    openToFactorless: true,
    confirmed: true,
  },
  finishAdding: {
    methods: ['POST'],
    path: '/identity/passkeys',
    access: 'user',
    scope: null,
    openToSuspended: true,
    openToFactorless: true,
  },
  rename: {
    methods: ['PATCH'],
    path: '/identity/passkeys/{id}',
    access: 'user',
    scope: null,
    openToSuspended: true,
  },
  remove: {
    methods: ['DELETE'],
    path: '/identity/passkeys/{id}',
    access: 'user',
    scope: null,
    openToSuspended: true,
    confirmed: true,
  },
  beginSignIn: {
    methods: ['POST'],
    path: '/identity/passkeys/sign-in/begin',
    access: 'anybody',
    scope: null,
  },
  signIn: { methods: ['POST'], path: '/identity/passkeys/sign-in', access: 'anybody', scope: null },
  beginConfirming: {
    methods: ['POST'],
    path: '/identity/passkeys/confirm/begin',
    access: 'user',
    scope: null,
    openToSuspended: true,
  },
  confirm: {
    methods: ['POST'],
    path: '/identity/passkeys/confirm',
    access: 'user',
    scope: null,
    openToSuspended: true,
  },
})
