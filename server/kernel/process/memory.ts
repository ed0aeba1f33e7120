/**
 * Limits the memory of the process. By itself V8 lets the heap grow to more than twice its live size before it
 * collects, and keeps the garbage of a load peak until it needs room again.
 */
import { Session } from 'node:inspector/promises'
import { performance, type EventLoopUtilization } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import type { Log } from '#server/kernel/log.ts'

const MB = 1024 * 1024
/**
 * Percent of the live heap that may be added before the next collection. Even under load this costs hardly any
 * CPU.
 */
const GROWTH_PERCENT = 60
const CHECK_MS = 5000
/** A share of the event loop's time that background jobs and a few readers take. */
const IDLE_SHARE = 0.05
/** Requires several idle checks in a row: a collection blocks the loop, and load often comes in waves. */
const IDLE_CHECKS = 4
/** A smaller gain isn't worth blocking the loop. */
const GAIN_BYTES = 48 * MB

/** Tests replace it. */
export interface Heap {
  /** Bytes of V8's heap and of buffers outside it. */
  size(): number
  /** The share of the time since the last call in which the event loop was busy. */
  busy(): number
  collect(): Promise<void>
}

/**
 * Makes V8 collect before its heap exceeds 1.6 times its live size. The maximum size of the heap doesn't change.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
}

/**
 * Checks every five seconds. When the process has been idle for twenty seconds and uses much more than after its
 * last collection, collects all garbage and returns the memory to the system. Returns a function that stops the
 * checks.
 */
export function collectWhenIdle(
  log: Pick<Log, 'debug' | 'warn'>,
  heap: Heap = ownHeap(),
): () => void {
  let idleChecks = 0
  let least = 0
  const check = async () => {
    idleChecks = heap.busy() < IDLE_SHARE ? idleChecks + 1 : 0
    const before = heap.size()
    if (idleChecks < IDLE_CHECKS || before < least + GAIN_BYTES) return
    const begin = performance.now()
    await heap.collect()
    least = heap.size()
    log.debug({ before, after: least, ms: performance.now() - begin }, 'collected when idle')
  }
  const timer = setInterval(() => {
    check().catch((error: unknown) => log.warn({ err: error }, 'collecting when idle failed'))
  }, CHECK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** In ms; a fast disk delivers some ten megabytes in that time. */
const BUFFERS_MS = 10

/**
 * Collects garbage each time buffers have grown by `mostBytes` since the last collection. For commands that copy
 * large files: the HTTP client copies each piece out of a buffer that only a collection frees, and V8 lets 64 MB
 * of them pile up. Returns a function that stops it.
 */
export function limitBuffers(
  mostBytes: number,
  log: Pick<Log, 'warn'>,
  heap: Pick<Heap, 'collect'> = ownHeap(),
): () => void {
  let least = process.memoryUsage().arrayBuffers
  let isCollecting = false
  const check = async () => {
    if (isCollecting || process.memoryUsage().arrayBuffers < least + mostBytes) return
    isCollecting = true
    await heap.collect().finally(() => (isCollecting = false))
    least = process.memoryUsage().arrayBuffers
  }
  const timer = setInterval(() => {
    check().catch((error: unknown) => log.warn({ err: error }, 'collecting buffers failed'))
  }, BUFFERS_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** Its collection blocks the event loop for as long as it takes to mark all live objects. */
export function ownHeap(): Heap {
  let last: EventLoopUtilization = performance.eventLoopUtilization()
  return {
    size: () => {
      const { heapTotal, external } = process.memoryUsage()
      return heapTotal + external
    },
    busy: () => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, last)
      last = now
      return utilization
    },
    collect: async () => {
      const session = new Session()
      session.connect()
      try {
        await session.post('HeapProfiler.collectGarbage')
      } finally {
        session.disconnect()
      }
    },
  }
}
