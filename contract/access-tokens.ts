/** The calls of personal access tokens, which programs use; what judges them stands in access-tokens.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { AccessTokensSchemas } from '#contract/access-tokens.schemas.ts'

/** How every access token begins, so that scanners and people know one. */
export const TOKEN_PREFIX = 'kbp_'

export const accessTokens = calls<AccessTokensSchemas>()({
  list: { methods: ['GET'], path: '/identity/tokens', access: 'user', scope: null },
  create: {
    methods: ['POST'],
    path: '/identity/tokens',
    access: 'user',
    scope: null,
    confirmed: true,
  },
  revoke: {
    methods: ['DELETE'],
    path: '/identity/tokens/{id}',
    access: 'user',
    scope: null,
    openToSuspended: true,
  },
})
