/**
 * What a process takes of the machine's memory. V8 alone lets its heap grow to more than twice of what lives in it
 * before it collects, and collects when it needs room: what load left stays until the next load, however long that takes.
 */
import { Session } from 'node:inspector/promises'
import { performance, type EventLoopUtilization } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import type { Log } from '#server/kernel/log.ts'

const MB = 1024 * 1024
/** Of what lives in the heap: so much more is taken before the next collection. Under load it costs no CPU to speak of. */
const GROWTH_PERCENT = 60
const LOOK_MS = 5000
/** Of the event loop's time, what the jobs and a few readers take. */
const IDLE_SHARE = 0.05
/** So many looks in a row must find it idle: a collection holds the loop, and load often comes in waves. */
const IDLE_LOOKS = 4
/** Less is not worth the hold. */
const GAIN_BYTES = 48 * MB

/** What a collection is decided by, and how it is done; those of this process unless a test gives others. */
export interface Heap {
  /** Bytes that V8 has taken for its heap, and those of buffers beside it. */
  size(): number
  /** The share of the time since the last call in which the event loop was busy. */
  busy(): number
  collect(): Promise<void>
}

/** Has V8 collect before its heap is more than 1.6 times of what lives in it. How large it may become stays as it is. */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
}

/**
 * Looks every five seconds. Once the process was idle for twenty, and has taken clearly more than after its last
 * collection, all garbage is collected and the room goes back to the system. Gives the function that ends that.
 */
export function collectWhenIdle(
  log: Pick<Log, 'debug' | 'warn'>,
  heap: Heap = ownHeap(),
): () => void {
  let idleLooks = 0
  let least = 0
  const look = async () => {
    idleLooks = heap.busy() < IDLE_SHARE ? idleLooks + 1 : 0
    const before = heap.size()
    if (idleLooks < IDLE_LOOKS || before < least + GAIN_BYTES) return
    const begin = performance.now()
    await heap.collect()
    least = heap.size()
    log.debug({ before, after: least, ms: performance.now() - begin }, 'collected when idle')
  }
  const timer = setInterval(() => {
    look().catch((error: unknown) => log.warn({ err: error }, 'collecting when idle failed'))
  }, LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** How often buffers are looked at: a fast disk brings some ten megabytes in that time. */
const BUFFERS_MS = 10

/**
 * Has garbage collected each time buffers have taken so many bytes more than after the last collection. For a command
 * that copies large files: the client of HTTP copies each piece out of a buffer of its own, which only a collection
 * frees, and V8 alone lets 64 MB of them pile up. Gives the function that ends that.
 */
export function limitBuffers(
  mostBytes: number,
  log: Pick<Log, 'warn'>,
  heap: Pick<Heap, 'collect'> = ownHeap(),
): () => void {
  let least = process.memoryUsage().arrayBuffers
  let isCollecting = false
  const look = async () => {
    if (isCollecting || process.memoryUsage().arrayBuffers < least + mostBytes) return
    isCollecting = true
    await heap.collect().finally(() => (isCollecting = false))
    least = process.memoryUsage().arrayBuffers
  }
  const timer = setInterval(() => {
    look().catch((error: unknown) => log.warn({ err: error }, 'collecting buffers failed'))
  }, BUFFERS_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** The heap of this process. Its collection holds the event loop for as long as marking all that lives takes. */
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
