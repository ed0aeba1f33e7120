/** Second factors: codes of an authenticator app, recovery codes, and "confirm it's you". */
import * as z from 'zod/mini'
import { GivenPassword, SignInCode } from '#contract/accounts.schemas.ts'
import { endpoints } from '#contract/endpoint.ts'
import { factors as calls } from '#contract/factors.ts'
import { Instant, Nothing } from '#contract/fields.schemas.ts'

/** A code that has to be there, unlike that of a login. */
const GivenCode = SignInCode.check(z.minLength(1, { error: 'codeNeeded' }))

/** Who has no password gives none. */
export const TotpStart = z.object({ password: z.optional(GivenPassword) })
export const TotpFinish = z.object({ code: GivenCode })
export const Confirmation = z.object({ password: GivenPassword, code: z.optional(SignInCode) })

export const Factors = z.object({
  /** Since when the password alone does not sign in, by an app or a passkey; null: it does. */
  since: z.nullable(Instant),
  /** There is an authenticator app. */
  app: z.boolean(),
  passkeys: z.number(),
  /** False of who signs in by a provider or a passkey alone. */
  hasPassword: z.boolean(),
  /** Recovery codes that still work. */
  recoveryCodes: z.number(),
  /** Must this person have a second factor: this site demands one of everybody, or of who administers it. */
  demanded: z.boolean(),
  /** Among whom; null: of nobody. */
  demandedOf: z.nullable(z.enum(['all', 'administrators'])),
})
export type Factors = z.infer<typeof Factors>

const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

const schemas = {
  show: {
    input: Nothing,
    answer: Factors,
    summary: 'What besides the password the sign-in of the caller asks for',
  },
  beginTotp: {
    input: TotpStart,
    answer: z.object({ secret: z.string(), address: z.string() }),
    summary:
      'Begin to set up an authenticator app; `address` (otpauth://) is what its QR code shows. Nothing is asked for at sign-ins before it is confirmed',
  },
  finishTotp: {
    input: TotpFinish,
    answer: RecoveryCodes,
    summary:
      'Confirm the authenticator app by its first code; answers the recovery codes, once and never again',
  },
  removeTotp: {
    input: Nothing,
    answer: null,
    summary: 'Remove the authenticator app and the recovery codes',
  },
  renewRecoveryCodes: {
    input: Nothing,
    answer: RecoveryCodes,
    summary: 'Make new recovery codes, shown once; the ones before them work no more',
  },
  confirm: {
    input: Confirmation,
    answer: null,
    summary:
      'Confirm that it is still the caller, by password and code; good for 15 minutes in this session',
  },
}
export type FactorsSchemas = typeof schemas

/** The calls with what judges them, as the server needs them. */
export const factors = endpoints(calls, schemas)
