import * as z from 'zod/mini'
import { GivenPassword, SignInCode } from '#contract/accounts.ts'
import { endpoints } from '#contract/endpoint.ts'
import { Instant, Nothing } from '#contract/fields.ts'

/** Required, unlike the code of a login. */
const GivenCode = SignInCode.check(z.minLength(1, { error: 'codeNeeded' }))

/** People without a password omit it. */
export const TotpStart = z.object({ password: z.optional(GivenPassword) })
export const TotpFinish = z.object({ code: GivenCode })
export const Confirmation = z.object({ password: GivenPassword, code: z.optional(SignInCode) })

export const Factors = z.object({
  /** Since when a sign-in needs a second factor. Null if the password is enough. */
  since: z.nullable(Instant),
  app: z.boolean(),
  passkeys: z.number(),
  /** False if the person only signs in with a provider or a passkey. */
  hasPassword: z.boolean(),
  /** Unused recovery codes. */
  recoveryCodes: z.number(),
  /** True if this site requires a second factor of everybody, or of administrators and this person is one. */
  demanded: z.boolean(),
  /** Who needs a second factor on this site. Null if nobody does. */
  demandedOf: z.nullable(z.enum(['all', 'administrators'])),
})
export type Factors = z.infer<typeof Factors>

const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

export const factors = endpoints({
  show: {
    methods: ['GET'],
    path: '/identity/factors',
    access: 'user',
    scope: null,
    openToFactorless: true,
    input: Nothing,
    answer: Factors,
    summary: 'What besides the password the sign-in of the caller asks for',
  },
  beginTotp: {
    methods: ['POST'],
    path: '/identity/factors/totp',
    access: 'user',
    scope: null,
    openToSuspended: true,
    openToFactorless: true,
    input: TotpStart,
    answer: z.object({ secret: z.string(), address: z.string() }),
    summary:
      'Begin to set up an authenticator app; `address` (otpauth://) is what its QR code shows. Nothing is asked for at sign-ins before it is confirmed',
  },
  finishTotp: {
    methods: ['POST'],
    path: '/identity/factors/totp/confirm',
    access: 'user',
    scope: null,
    openToSuspended: true,
    openToFactorless: true,
    input: TotpFinish,
    answer: RecoveryCodes,
    summary:
      'Confirm the authenticator app by its first code; answers the recovery codes, once and never again',
  },
  removeTotp: {
    methods: ['DELETE'],
    path: '/identity/factors/totp',
    access: 'user',
    scope: null,
    openToSuspended: true,
    confirmed: true,
    input: Nothing,
    answer: null,
    summary: 'Remove the authenticator app and the recovery codes',
  },
  renewRecoveryCodes: {
    methods: ['POST'],
    path: '/identity/factors/recovery',
    access: 'user',
    scope: null,
    openToSuspended: true,
    confirmed: true,
    input: Nothing,
    answer: RecoveryCodes,
    summary: 'Make new recovery codes, shown once; the ones before them work no more',
  },
  confirm: {
    methods: ['POST'],
    path: '/identity/confirm',
    access: 'user',
    scope: null,
    openToSuspended: true,
    openToFactorless: true,
    input: Confirmation,
    answer: null,
    summary:
      'Confirm that it is still the caller, by password and code; good for 15 minutes in this session',
  },
})
