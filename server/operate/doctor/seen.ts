/**
 * Reports how a request looks after all proxies. Only the doctor gets an answer, after it proves with the signing
 * key that it belongs to the installation.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { deriveKey } from '#server/people/accounts/sessions/tokens.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Core } from '#server/platform/core/core.ts'
import { notFound } from '#server/kernel/errors.ts'
import type { Secrets } from '#server/kernel/keys.ts'

export const SEEN_PATH = '/healthz/seen'
export const PROOF_HEADER = 'x-doctor'

/** A proof is valid for a minute before and after its time, because clocks differ. */
const GOOD_MS = 60_000

export interface Seen {
  /** The client address used for rate limits. */
  readonly address: string
  readonly protocol: string
  readonly host: string
  /** Number of addresses added by proxies. */
  readonly forwarded: number
}

/** Creates a proof for a process of the same installation. */
export function makeProof(secrets: Secrets, clock: Clock): string {
  const at = clock.now().getTime()
  return `${at}.${sign(secrets[0], at)}`
}

function isProof(secrets: Secrets, clock: Clock, given: unknown): boolean {
  const [, at = '', signature = ''] = /^(\d{1,16})\.([\w-]{43})$/.exec(String(given)) ?? []
  if (at === '' || Math.abs(clock.now().getTime() - Number(at)) > GOOD_MS) return false
  return secrets.some((secret) =>
    timingSafeEqual(Buffer.from(sign(secret, Number(at))), Buffer.from(signature)),
  )
}

function sign(secret: string, at: number): string {
  return createHmac('sha256', deriveKey(secret, 'doctor')).update(String(at)).digest('base64url')
}

/** Returns 404 without a valid proof. */
export function registerSeen(
  app: FastifyInstance,
  { secrets, clock }: Pick<Core, 'secrets' | 'clock'>,
): void {
  app.get(SEEN_PATH, async (request, reply): Promise<Seen> => {
    if (!isProof(secrets, clock, request.headers[PROOF_HEADER])) throw notFound()
    reply.header('cache-control', 'no-store')
    const forwarded = String(request.headers['x-forwarded-for'] ?? '')
    return {
      address: request.ip,
      protocol: request.protocol,
      host: request.host,
      forwarded: forwarded.split(',').filter((part) => part.trim() !== '').length,
    }
  })
}
