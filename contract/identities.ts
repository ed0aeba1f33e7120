/** Sign-in with a provider (OpenID Connect), and the linked identities of a person. */
import * as z from 'zod/mini'
import { GivenPassword, Session, SignInCode, Username } from '#contract/accounts.ts'
import { endpoints } from '#contract/endpoint.ts'
import { Id, Instant, Nothing, Checkbox } from '#contract/fields.ts'
import { UsedCredential } from '#contract/passkeys.ts'

/** What a provider sign-in still needs from the person. */
export const Waiting = z.object({
  /**
   * `join`: confirm the existing account with this address; `code`: the second factor; `register`: choose a name
   * for a new account.
   */
  step: z.enum(['join', 'code', 'register']),
  provider: z.string(),
  /** Name of the existing account, or null for a new one. */
  username: z.nullable(z.string()),
  /** The person's name at the provider. */
  label: z.string(),
  /** A suggested name for the new account. It may already be taken. */
  suggested: z.string(),
  asksCode: z.boolean(),
  next: z.string(),
})
export type Waiting = z.infer<typeof Waiting>

export const OidcFinish = z.object({
  password: z.optional(GivenPassword),
  code: z.optional(SignInCode),
  /** A passkey instead of password and code, for a challenge from `/identity/passkeys/sign-in/begin`. */
  credential: z.optional(UsedCredential),
})
export const OidcRegistration = z.object({ username: Username, hideEmail: Checkbox })

export const Identity = z.object({
  id: z.number(),
  provider: z.string(),
  label: z.string(),
  createdAt: Instant,
  usedAt: z.nullable(Instant),
})
export type Identity = z.infer<typeof Identity>

export const Identities = z.object({ identities: z.array(Identity) })
export type Identities = z.infer<typeof Identities>

export const identities = endpoints({
  waiting: {
    methods: ['GET'],
    path: '/identity/oidc/waiting',
    access: 'anybody',
    scope: null,
    input: Nothing,
    answer: Waiting,
    summary: 'What the sign-in by a provider that this browser has begun still asks for',
  },
  finish: {
    methods: ['POST'],
    path: '/identity/oidc/finish',
    access: 'anybody',
    scope: null,
    input: OidcFinish,
    answer: Session,
    summary:
      'End a sign-in by a provider: by the password of the account that it joins, once, or by the second factor, or by a passkey',
  },
  register: {
    methods: ['POST'],
    path: '/identity/oidc/register',
    access: 'anybody',
    scope: null,
    input: OidcRegistration,
    answer: Session,
    summary: 'End a sign-in by a provider with a new account',
  },
  list: {
    methods: ['GET'],
    path: '/identity/identities',
    access: 'user',
    scope: null,
    input: Nothing,
    answer: Identities,
    summary: 'The identities at providers by which the caller may sign in',
  },
  begin: {
    methods: ['POST'],
    path: '/identity/identities/begin',
    access: 'user',
    scope: null,
    openToSuspended: true,
    confirmed: true,
    input: z.object({ provider: Id, password: z.optional(GivenPassword) }),
    answer: z.object({ address: z.string() }),
    summary:
      'Begin to add an identity at a provider; the browser goes to the address. Takes the password of who has no second factor',
  },
  remove: {
    methods: ['DELETE'],
    path: '/identity/identities/{id}',
    access: 'user',
    scope: null,
    openToSuspended: true,
    confirmed: true,
    input: z.object({ id: Id }),
    answer: null,
    summary: 'Remove an identity; the last way in stays',
  },
})
