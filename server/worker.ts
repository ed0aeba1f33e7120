/** The process that works: the jobs alone, beside processes that serve with JOBS=elsewhere (or do both). */
import { hostname } from 'node:os'
import { createCore } from '#server/core.ts'
import { connect } from '#server/db/connect.ts'
import { JOBS_AT_ONCE, startWorker } from '#server/jobs/worker.ts'
import { systemClock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import { createMetrics } from '#server/kernel/metrics/metrics.ts'
import type { Log } from '#server/kernel/log.ts'
import { findPublicUrl } from '#server/kernel/process/running.ts'
import { watchParts } from '#server/measure.ts'
import {
  drainWhenSignalled,
  openAll,
  runProcess,
  say,
  serveMetrics,
  stopAll,
} from '#server/process.ts'
import { createHeartbeat } from '#server/nodes/heartbeat.ts'
import { listJobs } from '#server/work.ts'

async function start(config: Config, log: Log): Promise<void> {
  const opened = await openAll(config, log, false)
  const { database, stops } = opened
  try {
    const metrics = createMetrics(log)
    const connection = connect(database.direct, log, {
      work: 'jobs',
      size: JOBS_AT_ONCE,
      meter: metrics.database,
    })
    stops.push(() => connection.close())
    const core = await createCore({
      db: connection.db,
      clock: systemClock,
      config,
      log,
      publicUrl: await findPublicUrl(config),
      secrets: opened.secrets,
    })
    stops.push(async () => core.storage.close())
    const heartbeat = createHeartbeat(core, {
      role: 'works',
      url: `${hostname()}, process ${process.pid}`,
    })
    stops.push(() => heartbeat.close())
    await heartbeat.start()
    const jobs = listJobs(core)
    const worker = await startWorker({
      connection: database.direct,
      jobs,
      log,
      metrics,
    })
    watchParts(metrics, core, { jobs: connection })
    await serveMetrics(
      async (port, host) => {
        const server = await metrics.listen(port, host)
        stops.push(async () => server.close())
      },
      config,
      log,
    )
    stops.push(({ patienceMs }) => worker.stop(patienceMs))
    // Nobody sends requests here: the jobs under way are all there is to wait for.
    drainWhenSignalled(opened, log, { drainSeconds: 0, beginLeaving: () => {} })
    say('The worker runs the jobs. Ctrl-C stops it.')
  } catch (error) {
    await stopAll(opened, log)
    throw error
  }
}

await runProcess(start)
