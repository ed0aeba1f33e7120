/** Sign-ins by a provider (OpenID Connect), and who one is there. */
import * as z from 'zod/mini'
import { GivenPassword, Session, SignInCode, Username } from '#contract/accounts.schemas.ts'
import { endpoints } from '#contract/endpoint.ts'
import { Id, Instant, Nothing, Tick } from '#contract/fields.schemas.ts'
import { identities as calls } from '#contract/identities.ts'
import { UsedCredential } from '#contract/passkeys.schemas.ts'

/** What a sign-in whose provider has answered still asks its person for. */
export const Waiting = z.object({
  /** `join`: the account here that has the address; `code`: the second factor; `register`: a name, for a new account. */
  step: z.enum(['join', 'code', 'register']),
  provider: z.string(),
  /** Of the account here; null of a new one. */
  username: z.nullable(z.string()),
  /** What the provider calls them. */
  label: z.string(),
  /** A name that the new account could have; it may be taken. */
  suggested: z.string(),
  asksCode: z.boolean(),
  next: z.string(),
})
export type Waiting = z.infer<typeof Waiting>

export const OidcFinish = z.object({
  password: z.optional(GivenPassword),
  code: z.optional(SignInCode),
  /** A passkey in place of both, for a challenge of `/identity/passkeys/sign-in/begin`. */
  credential: z.optional(UsedCredential),
})
export const OidcRegistration = z.object({ username: Username, hideEmail: Tick })

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

const schemas = {
  waiting: {
    input: Nothing,
    answer: Waiting,
    summary: 'What the sign-in by a provider that this browser has begun still asks for',
  },
  finish: {
    input: OidcFinish,
    answer: Session,
    summary:
      'End a sign-in by a provider: by the password of the account that it joins, once, or by the second factor, or by a passkey',
  },
  register: {
    input: OidcRegistration,
    answer: Session,
    summary: 'End a sign-in by a provider with a new account',
  },
  list: {
    input: Nothing,
    answer: Identities,
    summary: 'The identities at providers by which the caller may sign in',
  },
  begin: {
    input: z.object({ provider: Id, password: z.optional(GivenPassword) }),
    answer: z.object({ address: z.string() }),
    summary:
      'Begin to add an identity at a provider; the browser goes to the address. Takes the password of who has no second factor',
  },
  remove: {
    input: z.object({ id: Id }),
    answer: null,
    summary: 'Remove an identity; the last way in stays',
  },
}
export type IdentitiesSchemas = typeof schemas

/** The calls with what judges them, as the server needs them. */
export const identities = endpoints(calls, schemas)
