/** The job that sends a mail of the outbox. */
import type { Db } from '#server/db/connect.ts'
import type { JobHandler } from '#server/jobs/worker.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Log } from '#server/kernel/log.ts'

export interface SendingNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM'>
  readonly publicUrl: string
  readonly log: Log
  /** The secret of a mailed link, by the id of its token. */
  readonly secretOf: (tokenId: string) => string
}

export function createMailSender(_needs: SendingNeeds): JobHandler {
  return async () => {}
}
