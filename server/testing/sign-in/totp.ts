import { Secret, TOTP } from 'otpauth'
import type { Person, TestApp } from '#server/testing/app.ts'

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
  const begun = await app.call<{ secret: string }>('POST', PATH, { as, json })
  const { secret } = begun.body
  const { status, body } = await app.call<{ recoveryCodes: string[] }>('POST', `${PATH}/confirm`, {
    as,
    json: { code: totpOf(secret, app.clock.now().getTime()) },
  })
  if (status !== 200) throw new Error(`${PATH}/confirm answered ${status}: ${JSON.stringify(body)}`)
  return { secret, codes: body.recoveryCodes }
}
