/**
 * Codes of authenticator apps (RFC 6238) with the parameters that every app supports: SHA-1, six digits, 30
 * seconds.
 */
import { Secret, TOTP } from 'otpauth'

const PERIOD_SECONDS = 30
/** Periods that a clock may be off, either way. */
const DRIFT = 1
const SECRET_BYTES = 20
const CODE = /^\d{6}$/

const totpOf = (secret: string, issuer = '', label = '') =>
  new TOTP({
    issuer,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
  })

/** Returns a secret of 160 bits in base 32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** Returns the otpauth:// URL that an app reads from a QR code. */
export function totpAddress(secret: string, site: string, username: string): string {
  return totpOf(secret, site, username).toString()
}

/** Returns the period of a code, counted since 1970, or null for a code that isn't valid now. */
export function stepOf(secret: string, code: string, now: Date): number | null {
  if (!CODE.test(code)) return null
  const timestamp = now.getTime()
  const delta = totpOf(secret).validate({ token: code, timestamp, window: DRIFT })
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta
}
