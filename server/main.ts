/** The serving process: opens the app, listens, and adds demo content. */
import { flushCompileCache } from 'node:module'
import { createApp } from '#server/app.ts'
import { openDemo, type DemoSignIn } from '#server/demo/demo.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Log } from '#server/kernel/log.ts'
import { isLoopback } from '#server/kernel/loopback.ts'
import { noteAddress } from '#server/kernel/process/running.ts'
import { findPort } from '#server/kernel/process/port.ts'
import { nodeUrlOf, openNodesLink } from '#server/platform/nodes/redis.ts'
import { openRenderer } from '#server/pages/renderer.ts'
import {
  drainWhenSignalled,
  openAll,
  runProcess,
  say,
  serveMetrics,
  stopAll,
} from '#server/process.ts'

const NEXT_PORTS = 11

async function start(config: Config, log: Log, socket: number | null): Promise<void> {
  if (config.RATE_LIMITS === 'off')
    log.warn('RATE_LIMITS is off: only for benchmarks and test suites')
  const tries = config.portGiven || config.PORT === 0 ? 1 : NEXT_PORTS
  const port = socket === null ? await findPort(config.HOST, config.PORT, tries) : config.PORT
  const publicUrl = config.PUBLIC_URL ?? `http://localhost:${port}`
  const opened = await openAll(config, log, true)
  const { database, secrets, clock, stops } = opened
  try {
    const nodes = await openNodesLink(config, nodeUrlOf(config, port), log)
    if (nodes !== null) stops.push(nodes.close)
    const app = await createApp({
      config,
      nodes,
      connection: database.connection,
      direct: database.direct,
      replica: database.replica,
      pooled: database.pooled,
      secrets,
      publicUrl,
      clock,
      log,
      renderer: await openRenderer(process.argv),
    })
    stops.push((patience) => app.close(patience), clock.follow(app.database.pool))
    const signIns = database.embedded
      ? await openDemo({
          ...app.core,
          dataDir: config.DATA_DIR,
          secret: secrets[0],
          wanted: config.DEMO === '1',
          loopback: isLoopback(config.HOST),
          say,
        })
      : []
    // With NODE_COMPILE_CACHE, stores compiled code for the next start, even if this process is killed. Only the
    // first start writes much, before any request arrives.
    flushCompileCache()
    await app.listen(port, config.HOST, socket)
    await serveMetrics((port, host) => app.listenMetrics(port, host), config, log)
    stops.push(await noteAddress(config.DATA_DIR, publicUrl))
    // Handles signals before anybody learns that it is open and may stop it.
    drainWhenSignalled(opened, log, {
      drainSeconds: config.DRAIN_SECONDS,
      beginLeaving: () => app.beginLeaving(),
    })
    announce(app.core.settings.current.names.en.site, publicUrl, signIns)
  } catch (error) {
    await stopAll(opened, log)
    throw error
  }
}

function announce(site: string, url: string, signIns: readonly DemoSignIn[]): void {
  say(`\n${site} is open: ${url}`)
  for (const { username, password, what } of signIns)
    say(`  ${what.padEnd(14)} ${username}  ${password}`)
  say('Ctrl-C stops it.')
}

await runProcess(start)
