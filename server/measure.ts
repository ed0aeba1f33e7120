/** Shows the metrics what each process has: pools of connections, disks, and what waits in the database. */
import { join } from 'node:path'
import type { Connection } from '#server/db/connect.ts'
import { countJobs } from '#server/jobs/store.ts'
import type { Core } from '#server/kernel/core.ts'
import type { Metrics } from '#server/kernel/metrics/metrics.ts'
import { countMails } from '#server/mail/store.ts'

/** `pools` by name; `jobs` is asked for what waits, so that nobody's request stands behind the counting. */
export function watchParts(
  metrics: Metrics,
  { config, clock }: Core,
  pools: Readonly<Record<string, Connection>> & { readonly jobs: Connection },
): void {
  const { db } = pools.jobs
  for (const [name, { pool }] of Object.entries(pools)) metrics.watchPool(name, pool)
  metrics.watchDisks({ data: config.DATA_DIR, files: join(config.DATA_DIR, 'files') })
  metrics.watchStored({
    jobs: () => countJobs(db),
    mails: async () => {
      const { oldest, ...counts } = await countMails(db, clock.now())
      // Without SMTP_URL they wait on purpose.
      return { ...counts, oldest: config.SMTP_URL === undefined ? null : oldest }
    },
  })
}
