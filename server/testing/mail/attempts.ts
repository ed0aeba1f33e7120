/** One attempt at a mail by a worker of its own, without the queue. */
import { createLog } from '#server/kernel/log.ts'
import { createMailSender } from '#server/mail/send.ts'
import type { TimeLimits } from '#server/mail/transport.ts'
import type { TestApp } from '#server/testing/app.ts'

/** A busy machine is no fault of the server's. */
const ROOMY: TimeLimits = {
  connect: 8000,
  greeting: 8000,
  silence: 8000,
  whole: 20_000,
  backoff: 0,
}

export interface Attempt {
  /** What it threw, in words; null when it is done with. */
  readonly thrown: string | null
  readonly ms: number
}

/** A worker for this mail server. */
export function createWorker(
  { app, clock, url: publicUrl }: TestApp,
  smtpUrl: string,
  limits = ROOMY,
): (id: number) => Promise<Attempt> {
  const send = createMailSender({
    db: app.database.db,
    clock,
    config: { SMTP_URL: smtpUrl, MAIL_FROM: 'hello@bazaar.test' },
    log: createLog('silent'),
    publicUrl,
    secretOf: () => '',
    unsubscribeTokenOf: () => '',
    limits,
  })
  const context = { signal: new AbortController().signal, attempt: 1, maxAttempts: 25 }
  return async (id) => {
    const begun = performance.now()
    const thrown = await send({ id }, context).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : 'unknown'),
    )
    return { thrown, ms: performance.now() - begun }
  }
}
