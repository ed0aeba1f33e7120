/** The working process: runs only the jobs, next to processes that serve with JOBS=elsewhere (or do both). */
import { createCore } from '#server/core.ts'
import { connect } from '#server/platform/db/connect.ts'
import { JOBS_AT_ONCE, startWorker } from '#server/platform/jobs/worker.ts'
import { followSettings } from '#server/platform/core/settings.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Log } from '#server/kernel/log.ts'
import { createReadiness } from '#server/kernel/process/health.ts'
import { findPublicUrl } from '#server/kernel/process/running.ts'
import { openMeasures, watchParts } from '#server/measure.ts'
import {
  drainWhenSignalled,
  openAll,
  runProcess,
  say,
  serveMetrics,
  stopAll,
} from '#server/process.ts'
import { joinNodes, workerName } from '#server/platform/nodes/join.ts'
import { openNodesLink } from '#server/platform/nodes/redis.ts'
import { listParts } from '#server/parts.ts'
import { listJobs } from '#server/work.ts'

async function start(config: Config, log: Log): Promise<void> {
  const opened = await openAll(config, log, false)
  const { database, clock, stops } = opened
  try {
    const { metrics, traces, meter } = await openMeasures(config, log)
    stops.push(() => traces.close())
    const nodes = await openNodesLink(config, workerName(), log)
    if (nodes !== null) stops.push(nodes.close)
    const connection = connect(database.direct, log, {
      work: 'jobs',
      size: JOBS_AT_ONCE,
      meter,
    })
    stops.push(() => connection.close(), clock.follow(connection.pool))
    const core = await createCore({
      db: connection.db,
      clock,
      config,
      log,
      publicUrl: await findPublicUrl(config),
      secrets: opened.secrets,
    })
    stops.push(async () => core.storage.close())
    const following = followSettings(core.settings, log)
    stops.push(() => following.close())
    const joined = await joinNodes(core, {
      role: 'works',
      nodes,
      db: connection.db,
      lag: metrics.busLag,
    })
    stops.push(() => joined.close())
    await joined.start()
    const jobs = traces.traceJobs(listJobs(core))
    const worker = await startWorker({
      connection: database.direct,
      jobs,
      log,
      metrics,
    })
    watchParts(metrics, core, { jobs: connection })
    await serveMetrics(
      async (port, host) => {
        const parts = listParts(core, { database: connection, replica: null, joined, traces })
        const server = await metrics.listen(port, host, createReadiness(parts, log))
        stops.push(async () => server.close())
      },
      config,
      log,
    )
    stops.push(({ patienceMs }) => worker.stop(patienceMs))
    // Nobody sends requests here, so it waits only for running jobs.
    drainWhenSignalled(opened, log, { drainSeconds: 0, beginLeaving: () => {} })
    say('The worker runs the jobs. Ctrl-C stops it.')
  } catch (error) {
    await stopAll(opened, log)
    throw error
  }
}

await runProcess(start)
