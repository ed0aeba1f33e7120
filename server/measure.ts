/** Metrics and traces of both kinds of process: connection pools, disks, and waiting jobs and mails. */
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { findAuditState } from '#server/operate/audit/watch.ts'
import { findBackupState } from '#server/operate/backup/watch.ts'
import type { Connection, StatementMeter } from '#server/platform/db/connect.ts'
import { countJobs } from '#server/platform/jobs/store.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Core } from '#server/platform/core/core.ts'
import type { Log } from '#server/kernel/log.ts'
import { createMetrics, type Metrics } from '#server/kernel/metrics/metrics.ts'
import { traceStatement } from '#server/kernel/traces/spans.ts'
import { openTraces, type Traces } from '#server/kernel/traces/traces.ts'
import { countMails } from '#server/platform/mail/store.ts'

export interface Measures {
  readonly metrics: Metrics
  readonly traces: Traces
  /** Measures each statement. */
  readonly meter: StatementMeter
  /** Measures the hub's methods and messages. */
  readonly ofHub: Pick<Metrics, 'hubMessages'> & Pick<Traces, 'aroundHub'>
  /** Measures each request that reaches the framework. */
  observe(fastify: FastifyInstance): void
}

/** An unavailable trace collector is reported later, in the log and at `/readyz`. */
export async function openMeasures(config: Config, log: Log): Promise<Measures> {
  const [metrics, traces] = [createMetrics(log), await openTraces(config, log)]
  return {
    metrics,
    traces,
    meter: {
      ended: (statement) => {
        metrics.database.ended(statement)
        traceStatement(statement)
      },
    },
    ofHub: { hubMessages: metrics.hubMessages, aroundHub: traces.aroundHub },
    observe: (fastify) => {
      metrics.observe(fastify)
      traces.observe(fastify)
    },
  }
}

/** `pools` has a name for each pool; `jobs` runs the counts, so that requests don't wait for them. */
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
    upkeep: async () => ({
      backups: await findBackupState(db, config, clock.now()),
      audit: await findAuditState(db, clock.now()),
    }),
    mails: async () => {
      const { oldest, ...counts } = await countMails(db, clock.now())
      // Without SMTP_URL they wait on purpose.
      return { ...counts, oldest: config.SMTP_URL === undefined ? null : oldest }
    },
  })
}
