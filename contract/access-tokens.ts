import * as z from 'zod/mini'
import { GivenPassword } from '#contract/accounts.ts'
import { endpoints, SCOPES } from '#contract/endpoint.ts'
import { Id, Instant, Nothing, line } from '#contract/fields.ts'
import { TOKEN_DAYS, TOKEN_NAME } from '#contract/limits.ts'
import { message } from '#contract/message.ts'

/** The prefix lets secret scanners and people recognise a token. */
export const TOKEN_PREFIX = 'kbp_'

const Scopes = z.array(z.enum(SCOPES, { error: 'tokenScopesNeeded' }), {
  error: 'tokenScopesNeeded',
})
const daysError = message('tokenDaysRange', { min: TOKEN_DAYS.min, max: TOKEN_DAYS.max })

export const TokenDraft = z.object({
  name: line(TOKEN_NAME, 'tokenNameLength'),
  scopes: Scopes.check(
    z.minLength(1, { error: 'tokenScopesNeeded' }),
    z.maxLength(SCOPES.length, { error: 'tokenScopesNeeded' }),
    z.refine((given) => new Set(given).size === given.length, { error: 'tokenScopesNeeded' }),
  ),
  days: z
    .number({ error: daysError })
    .check(
      z.int({ error: daysError }),
      z.gte(TOKEN_DAYS.min, { error: daysError }),
      z.lte(TOKEN_DAYS.max, { error: daysError }),
    ),
  /** People without a password omit it. They confirm with a passkey or by signing in again. */
  password: z.optional(GivenPassword),
})
export type TokenDraft = z.infer<typeof TokenDraft>

export const AccessToken = z.object({
  id: z.number(),
  name: z.string(),
  scopes: Scopes,
  date: Instant,
  expires: Instant,
  /** Rounded to the minute. Null if never used. */
  lastUsed: z.nullable(Instant),
})
export type AccessToken = z.infer<typeof AccessToken>

const NewToken = z.extend(AccessToken, { token: z.string() })

export const accessTokens = endpoints({
  list: {
    methods: ['GET'],
    path: '/identity/tokens',
    access: 'user',
    scope: null,
    input: Nothing,
    answer: z.array(AccessToken),
    summary: 'The access tokens of the caller, newest first, without their secrets',
  },
  create: {
    methods: ['POST'],
    path: '/identity/tokens',
    access: 'user',
    scope: null,
    confirmed: true,
    input: TokenDraft,
    answer: NewToken,
    summary:
      'Make an access token for a program, by the password of who has one; `token` is shown this once. Scopes: read, write, chat, admin; no token changes the account itself',
  },
  revoke: {
    methods: ['DELETE'],
    path: '/identity/tokens/{id}',
    access: 'user',
    scope: null,
    openToSuspended: true,
    input: z.object({ id: Id }),
    answer: null,
    summary: 'Revoke an access token: from the next request on it opens nothing',
  },
})
