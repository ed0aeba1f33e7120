import { createLog } from '#server/kernel/log.ts'
import { resolveSettings } from '#server/kernel/settings/site-settings.ts'
import { createMailSender } from '#server/platform/mail/send.ts'
import type { TimeLimits } from '#server/platform/mail/transport.ts'
import type { TestApp } from '#server/testing/app.ts'

/** Generous limits, because a busy test machine is not the server's fault. */
const ROOMY: TimeLimits = {
  connect: 8000,
  greeting: 8000,
  silence: 8000,
  whole: 20_000,
  backoff: 0,
}

export interface Attempt {
  /** The error's message. Null if the mail was handled. */
  readonly thrown: string | null
  readonly ms: number
}

/** Creates a worker for this mail server that runs without the queue. */
export function createWorker(
  { app, clock, url: publicUrl }: TestApp,
  smtpUrl: string,
  limits = ROOMY,
): (id: number) => Promise<Attempt> {
  const send = createMailSender({
    db: app.database.db,
    clock,
    config: { SMTP_URL: smtpUrl, MAIL_FROM: 'hello@bazaar.test' },
    settings: { current: resolveSettings({}).settings },
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
