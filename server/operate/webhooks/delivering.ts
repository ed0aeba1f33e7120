import * as z from 'zod/mini'
import type { Sealing } from '#server/people/accounts/factors/sealing.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { jobKind, type JobContext, type JobHandler } from '#server/platform/jobs/job.ts'
import { BoundedMap } from '#server/kernel/bounded-map.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Log } from '#server/kernel/log.ts'
import { traced } from '#server/kernel/traces/spans.ts'
import { packageVersion } from '#server/kernel/version.ts'
import { post, PostFailure, type PostNeeds } from '#server/operate/webhooks/post.ts'
import { signedHeaders } from '#server/operate/webhooks/signature.ts'
import {
  findDueDelivery,
  giveUpEndpoint,
  resealSecret,
  writeAttempt,
  writeUnsent,
  type Attempted,
  type DueDelivery,
} from '#server/operate/webhooks/store.ts'

const OfDelivery = z.object({ id: z.number() })
/** Sends an event to an endpoint. */
export const DELIVER_WEBHOOK = jobKind('deliverWebhook', OfDelivery)

/** Deliveries to one host run one at a time, across all workers and endpoints. */
export const queueOf = (host: string): string => `webhook ${host}`.slice(0, 120)

/** The purpose of the encryption. Secrets for other purposes can't be decrypted with it. */
export const SEALED_FOR = 'webhook'

export interface DeliveringNeeds extends PostNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly sealing: Sealing
}

/** Makes the queue retry. Its message is logged. */
class DeliveryFailure extends Error {}

const DAY_MS = 24 * 60 * 60 * 1000
/** An endpoint is disabled after this time without a successful delivery. */
const GIVEN_UP_MS = 3 * DAY_MS
/**
 * A host that did not respond is not contacted for this long, so that other jobs don't wait for it again and
 * again.
 */
const BACKOFF_MS = 60_000
const MOST_HOSTS = 1000
const GONE = 410
const NO_KEY =
  'its secret was encrypted with a key that is not in AUTH_SECRETS any more: make a new secret'

/** Runs DELIVER_WEBHOOK. The queue retries after errors until the last attempt. */
export function createDeliverer(needs: DeliveringNeeds): JobHandler<z.output<typeof OfDelivery>> {
  const { db, clock, log } = needs
  const hung = new BoundedMap<string, number>({ most: MOST_HOSTS })

  async function attempt(due: DueDelivery, signal: AbortSignal): Promise<Omit<Attempted, 'state'>> {
    const at = clock.now()
    const beganAt = performance.now()
    const ended = (came: Pick<Attempted, 'status' | 'answer' | 'error'>) => ({
      ...came,
      at,
      milliseconds: performance.now() - beganAt,
    })
    try {
      if (performance.now() < (hung.get(due.host) ?? 0))
        throw new PostFailure('it did not answer a moment ago')
      const { status, answer } = await traced('webhook POST', 'client', {}, async () =>
        post(needs, { ...(await compose(needs, due, at)), signal }),
      )
      return ended({ status, answer, error: errorOf(status) })
    } catch (error) {
      if (!(error instanceof PostFailure)) throw error
      if (error.hung) hung.set(due.host, performance.now() + BACKOFF_MS)
      return ended({ status: null, answer: null, error: error.message })
    }
  }

  return async ({ id }, context) => {
    const due = await findDueDelivery(db, id)
    if (due === null) return
    if (!due.enabled) return writeUnsent(db, id, 'the endpoint is switched off')
    const came = await attempt(due, context.signal)
    const state = stateOf(came, context)
    const { endpointId } = due
    const gaveUp = await db.transaction().execute(async (tx) => {
      const failingSince = await writeAttempt(tx, { id, endpointId }, { ...came, state })
      const isLong =
        failingSince !== null && came.at.getTime() - failingSince.getTime() >= GIVEN_UP_MS
      return (isLong || came.status === GONE) && giveUpEndpoint(tx, endpointId, came.at)
    })
    if (gaveUp) {
      log.warn(
        { webhook: endpointId, why: came.error },
        'a webhook is switched off, because nothing arrives there: see /admin/webhooks',
      )
    }
    if (state === 'failed')
      log.warn({ webhook: endpointId, delivery: id, why: came.error }, 'a webhook was given up')
    if (state === 'waiting') throw new DeliveryFailure(came.error ?? '')
  }
}

function stateOf(
  { status, error }: Pick<Attempted, 'status' | 'error'>,
  { attempt, maxAttempts }: JobContext,
): Attempted['state'] {
  if (error === null) return 'delivered'
  return attempt >= maxAttempts || status === GONE ? 'failed' : 'waiting'
}

/** Returns null if the receiver accepted the event. */
function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status === GONE) return 'it answered 410: it does not want to be told any more'
  if (status >= 300 && status < 400) return `it answered ${status}: no redirect is followed`
  return `it answered ${status}`
}

/** @throws PostFailure when no key decrypts the secret */
async function compose({ db, sealing }: DeliveringNeeds, due: DueDelivery, at: Date) {
  const { endpointId, sealed: before, previousSealed, previousUntil } = due
  const opened = sealing.open(before, SEALED_FOR)
  if (opened === null) throw new PostFailure(NO_KEY)
  if (opened.isOld)
    await resealSecret(db, endpointId, { before, sealed: sealing.seal(opened.secret, SEALED_FOR) })
  const isPreviousGood = previousSealed !== null && previousUntil !== null && previousUntil > at
  const previous = isPreviousGood ? sealing.open(previousSealed, SEALED_FOR) : null
  const secrets = [opened.secret, ...(previous === null ? [] : [previous.secret])]
  const timestamp = due.happenedAt.toISOString()
  const body = JSON.stringify({ type: due.type, timestamp, data: due.data })
  return {
    url: new URL(due.url),
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': `Knowledge-Bazaar/${packageVersion()}`,
      ...signedHeaders(secrets, { id: due.eventId, at, body }),
    },
  }
}
