/** The calls of second factors; what judges them stands in factors.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { FactorsSchemas } from '#contract/factors.schemas.ts'

export const factors = calls<FactorsSchemas>()({
  show: {
    methods: ['GET'],
    path: '/identity/factors',
    access: 'user',
    scope: null,
    openToFactorless: true,
  },
  beginTotp: {
    methods: ['POST'],
    path: '/identity/factors/totp',
    access: 'user',
    scope: null,
    openToSuspended: true,
    openToFactorless: true,
  },
  finishTotp: {
    methods: ['POST'],
    path: '/identity/factors/totp/confirm',
    access: 'user',
    scope: null,
    openToSuspended: true,
    openToFactorless: true,
  },
  removeTotp: {
    methods: ['DELETE'],
    path: '/identity/factors/totp',
    access: 'user',
    scope: null,
    openToSuspended: true,
    confirmed: true,
  },
  renewRecoveryCodes: {
    methods: ['POST'],
    path: '/identity/factors/recovery',
    access: 'user',
    scope: null,
    openToSuspended: true,
    confirmed: true,
  },
  confirm: {
    methods: ['POST'],
    path: '/identity/confirm',
    access: 'user',
    scope: null,
    openToSuspended: true,
    openToFactorless: true,
  },
})
