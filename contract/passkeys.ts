/** Messages between authenticators and the server (WebAuthn level 3, in its JSON form). */
import * as z from 'zod/mini'
import { GivenPassword, Session } from '#contract/accounts.ts'
import { endpoints } from '#contract/endpoint.ts'
import { Id, Instant, Nothing, line } from '#contract/fields.ts'
import { PASSKEY_NAME } from '#contract/limits.ts'

/** Base64url of at most `most` characters. */
const bytes = (most: number) =>
  z
    .string({ error: 'passkeyWrong' })
    .check(
      z.minLength(1, { error: 'passkeyWrong' }),
      z.maxLength(most, { error: 'passkeyWrong' }),
      z.regex(/^[\w-]+$/, { error: 'passkeyWrong' }),
    )

/** At most 1023 bytes by the standard. */
const CredentialId = bytes(1364)
const Shared = {
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key', { error: 'passkeyWrong' }),
}

/** An authenticator's response when it creates a passkey. Other fields are ignored. */
export const NewCredential = z.object(
  {
    ...Shared,
    response: z.object(
      {
        clientDataJSON: bytes(4000),
        attestationObject: bytes(20_000),
        transports: z.optional(
          z.array(z.string().check(z.regex(/^[a-z-]{1,20}$/))).check(z.maxLength(10)),
        ),
      },
      { error: 'passkeyWrong' },
    ),
  },
  { error: 'passkeyWrong' },
)
export type NewCredential = z.output<typeof NewCredential>

/** An authenticator's response when a passkey is used. */
export const UsedCredential = z.object(
  {
    ...Shared,
    response: z.object(
      {
        clientDataJSON: bytes(4000),
        authenticatorData: bytes(4000),
        signature: bytes(4000),
        userHandle: z.optional(z.nullable(bytes(100))),
      },
      { error: 'passkeyWrong' },
    ),
  },
  { error: 'passkeyWrong' },
)
export type UsedCredential = z.output<typeof UsedCredential>

const Descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()),
})

/** For `navigator.credentials.create`. */
export const CreationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
  timeout: z.number(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
})
export type CreationOptions = z.infer<typeof CreationOptions>

/** For `navigator.credentials.get`. */
export const RequestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.literal('required'),
  /** Empty lets the person pick any passkey of this site. */
  allowCredentials: z.array(Descriptor),
})
export type RequestOptions = z.infer<typeof RequestOptions>

export const Passkey = z.object({
  id: z.number(),
  name: z.string(),
  createdAt: Instant,
  usedAt: z.nullable(Instant),
  /** True if the passkey is synced to the person's other devices. */
  synced: z.boolean(),
})
export type Passkey = z.infer<typeof Passkey>

const Passkeys = z.object({
  passkeys: z.array(Passkey),
  /** False if the site's origin can't use passkeys, because browsers require https. */
  offered: z.boolean(),
  /** The working passkeys of this account, for the browser's Signal API. Null if passkeys are not offered. */
  signal: z.nullable(
    z.object({ rpId: z.string(), userId: z.string(), credentials: z.array(z.string()) }),
  ),
})
export type Passkeys = z.infer<typeof Passkeys>

const Name = line(PASSKEY_NAME, 'passkeyNameMs')
/** People with a second factor omit the password, because their session was confirmed with it. */
export const PasskeyStart = z.object({ password: z.optional(GivenPassword) })
export const PasskeyName = z.object({ name: Name })
const Proof = z.object({ credential: UsedCredential })

export const passkeys = endpoints({
  list: {
    methods: ['GET'],
    path: '/identity/passkeys',
    access: 'user',
    scope: null,
    openToFactorless: true,
    input: Nothing,
    answer: Passkeys,
    summary: 'The passkeys of the caller',
  },
  beginAdding: {
    methods: ['POST'],
    path: '/identity/passkeys/begin',
    access: 'user',
    scope: null,
    openToSuspended: true,
    openToFactorless: true,
    confirmed: true,
    input: PasskeyStart,
    answer: CreationOptions,
    summary:
      'Begin to add a passkey; the answer is for `navigator.credentials.create`. Takes the password of who has no second factor',
  },
  finishAdding: {
    methods: ['POST'],
    path: '/identity/passkeys',
    access: 'user',
    scope: null,
    openToSuspended: true,
    openToFactorless: true,
    input: z.object({ name: Name, credential: NewCredential }),
    answer: z.object({ recoveryCodes: z.array(z.string()) }),
    summary:
      'Add the passkey that the browser made; answers recovery codes if it is the first second factor of the caller, once and never again',
  },
  rename: {
    methods: ['PATCH'],
    path: '/identity/passkeys/{id}',
    access: 'user',
    scope: null,
    openToSuspended: true,
    input: z.object({ id: Id, name: Name }),
    answer: null,
    summary: 'Give a passkey another name',
  },
  remove: {
    methods: ['DELETE'],
    path: '/identity/passkeys/{id}',
    access: 'user',
    scope: null,
    openToSuspended: true,
    confirmed: true,
    input: z.object({ id: Id }),
    answer: null,
    summary:
      'Remove a passkey; with the last second factor the recovery codes go, and the password alone signs in again',
  },
  beginSignIn: {
    methods: ['POST'],
    path: '/identity/passkeys/sign-in/begin',
    access: 'anybody',
    scope: null,
    input: Nothing,
    answer: RequestOptions,
    summary: 'Begin to sign in by a passkey; the answer is for `navigator.credentials.get`',
  },
  signIn: {
    methods: ['POST'],
    path: '/identity/passkeys/sign-in',
    access: 'anybody',
    scope: null,
    input: Proof,
    answer: Session,
    summary: 'Sign in by a passkey, without name, password and code',
  },
  beginConfirming: {
    methods: ['POST'],
    path: '/identity/passkeys/confirm/begin',
    access: 'user',
    scope: null,
    openToSuspended: true,
    input: Nothing,
    answer: RequestOptions,
    summary: 'Begin to confirm by a passkey that it is still the caller',
  },
  confirm: {
    methods: ['POST'],
    path: '/identity/passkeys/confirm',
    access: 'user',
    scope: null,
    openToSuspended: true,
    input: Proof,
    answer: null,
    summary:
      'Confirm by a passkey that it is still the caller; good for 15 minutes in this session',
  },
})
