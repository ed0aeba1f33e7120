import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { collectWhenIdle, ownHeap, type Heap } from '#server/kernel/process/memory.ts'

const MB = 1024 * 1024
const log = { debug: () => undefined, warn: () => undefined }

describe('the garbage collection', () => {
  let heap: Heap & { bytes: number; share: number; collected: number }
  let failing: boolean
  let stop: () => void
  beforeEach(() => {
    failing = false
    vi.useFakeTimers()
    heap = {
      bytes: 300 * MB,
      share: 0,
      collected: 0,
      size: () => heap.bytes,
      busy: () => heap.share,
      collect: () => {
        if (failing) return Promise.reject(new Error('no session'))
        heap.collected += 1
        heap.bytes = 70 * MB
        return Promise.resolve()
      },
    }
    stop = collectWhenIdle(log, heap)
  })
  afterEach(() => {
    stop()
    vi.useRealTimers()
  })
  const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

  test('runs once when the process has been idle for twenty seconds', async () => {
    await pass(19)
    expect(heap.collected).toBe(0)
    await pass(1)
    expect(heap.collected).toBe(1)
    await pass(600)
    expect(heap.collected).toBe(1)
  })

  test('does not run in a busy process, nor after a pause that is too short', async () => {
    heap.share = 0.3
    await pass(60)
    heap.share = 0
    await pass(15)
    heap.share = 0.3
    await pass(5)
    heap.share = 0
    await pass(15)
    expect(heap.collected).toBe(0)
    await pass(5)
    expect(heap.collected).toBe(1)
  })

  test('runs again only when the heap has grown much since', async () => {
    await pass(20)
    heap.bytes = 110 * MB
    await pass(60)
    expect(heap.collected).toBe(1)
    heap.bytes = 120 * MB
    await pass(5)
    expect(heap.collected).toBe(2)
  })

  test('is logged when it fails, and the next check tries again', async () => {
    failing = true
    await pass(20)
    expect(heap.collected).toBe(0)
    failing = false
    await pass(5)
    expect(heap.collected).toBe(1)
  })
})

test('a collection frees unreachable memory', async () => {
  const heap = ownHeap()
  // Garbage of earlier tests would be collected between the two measurements, and there is more of it than this
  // test makes.
  await heap.collect()
  const before = process.memoryUsage().heapUsed
  const many = 200_000
  const held = Array.from({ length: many }, (_, place) => ({ place, text: `${place}` }))
  expect(process.memoryUsage().heapUsed - before).toBeGreaterThan(many * 20)
  held.length = 0
  await heap.collect()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(many * 20)
})
