/**
 * Loaded into the product before it starts (`node --import`): says over the channel to its parent how long the event
 * loop was held. Until it is asked, the process runs as it is shipped.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Milliseconds between two looks; the delay is what comes on top. */
const LOOK_MS = 1
const delay = monitorEventLoopDelay({ resolution: LOOK_MS })

function answer(question: unknown): unknown {
  if (question === 'watchDelay') {
    delay.reset()
    return delay.enable()
  }
  delay.disable()
  return Math.max(0, delay.percentile(99) / 1e6 - LOOK_MS)
}

process.on('message', (question) => process.send?.(answer(question)))
// Who listens would keep the process alive.
process.channel?.unref()
