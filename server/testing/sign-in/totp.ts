import { Secret, TOTP } from 'otpauth'
import type { Person, TestApp } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'

const PATH = '/identity/factors/totp'

/** Returns the code of a secret at a time in ms. */
export const totpOf = (secret: string, timestamp: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })

/** Turns on a person's second factor. */
export async function armTotp(
  app: TestApp,
  as: Person,
  json: object = { password: as.password },
): Promise<{ readonly secret: string; readonly codes: readonly string[] }> {
  const { secret } = await done<{ secret: string }>(app, as, `POST ${PATH}`, json)
  const { recoveryCodes } = await done<{ recoveryCodes: string[] }>(
    app,
    as,
    `POST ${PATH}/confirm`,
    { code: totpOf(secret, app.clock.now().getTime()) },
  )
  return { secret, codes: recoveryCodes }
}
