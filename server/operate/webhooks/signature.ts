/**
 * Signs according to Standard Webhooks, so that receivers can verify with its libraries (standardwebhooks.com).
 */
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** Returns a new secret in the format for receivers. */
export function makeSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** Returns the headers of a message: its id, the time of this attempt, and a signature for each secret. */
export function signedHeaders(
  secrets: readonly string[],
  { id, at, body }: { readonly id: string; readonly at: Date; readonly body: string },
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
