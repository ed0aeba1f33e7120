/** The calls of sign-ins by a provider (OpenID Connect); what judges them stands in identities.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { IdentitiesSchemas } from '#contract/identities.schemas.ts'

export const identities = calls<IdentitiesSchemas>()({
  waiting: { methods: ['GET'], path: '/identity/oidc/waiting', access: 'anybody', scope: null },
  finish: { methods: ['POST'], path: '/identity/oidc/finish', access: 'anybody', scope: null },
  register: { methods: ['POST'], path: '/identity/oidc/register', access: 'anybody', scope: null },
  list: { methods: ['GET'], path: '/identity/identities', access: 'user', scope: null },
  begin: {
    methods: ['POST'],
    path: '/identity/identities/begin',
    access: 'user',
    scope: null,
    openToSuspended: true,
    confirmed: true,
  },
  remove: {
    methods: ['DELETE'],
    path: '/identity/identities/{id}',
    access: 'user',
    scope: null,
    openToSuspended: true,
    confirmed: true,
  },
})
