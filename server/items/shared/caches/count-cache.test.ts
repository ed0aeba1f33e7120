import { expect, test } from 'vitest'
import { createCountCache } from '#server/items/shared/caches/count-cache.ts'

/** A table whose scans end when the test says so. */
function createTable(items: number) {
  let now = 0
  const table = { items, scans: 0, running: 0, most: 0, fails: false }
  const waiting: (() => void)[] = []
  const cache = createCountCache(
    { now: () => new Date(now) },
    async () => {
      const seen = table.items
      table.scans += 1
      table.running += 1
      table.most = Math.max(table.most, table.running)
      await new Promise<void>((resolve) => waiting.push(resolve))
      table.running -= 1
      if (table.fails) throw new Error('the database is away')
      return seen
    },
    (counted) => counted,
  )
  const write = (added = 1) => {
    table.items += added
    cache.forget()
  }
  const endScan = async () => {
    await new Promise(setImmediate)
    waiting.shift()?.()
    await new Promise(setImmediate)
  }
  return { table, cache, write, endScan, pass: (ms: number) => void (now += ms) }
}

test('calls during a scan share it', async () => {
  const { table, cache, endScan } = createTable(3)
  const answers = Array.from({ length: 15 }, () => cache.get())
  await endScan()
  expect(await Promise.all(answers)).toEqual(Array(15).fill(3))
  expect(await cache.get()).toBe(3)
  expect(table.scans).toBe(1)
})

test('fifteen writes with a reader each cost two scans, one after the other', async () => {
  const { table, cache, write, endScan } = createTable(3)
  const first = cache.get()
  const later = Array.from({ length: 15 }, () => {
    write()
    return cache.get()
  })
  await endScan()
  await endScan()
  expect(await first).toBe(3)
  // Calls after a write must see it.
  expect(await Promise.all(later)).toEqual(Array(15).fill(18))
  expect(table).toMatchObject({ scans: 2, most: 1 })
})

test('a failed scan rejects all calls that share it, and the next call counts again', async () => {
  const { table, cache, write, endScan } = createTable(3)
  table.fails = true
  const refused = expect(cache.get()).rejects.toThrow('away')
  write()
  const next = cache.get()
  await endScan()
  await refused
  table.fails = false
  await endScan()
  expect(await next).toBe(4)
})

test('a large number is cached for a minute in spite of writes', async () => {
  const { table, cache, write, endScan, pass } = createTable(20_000)
  const first = cache.get()
  await endScan()
  await first
  write()
  expect(await cache.get()).toBe(20_000)
  expect(table.scans).toBe(1)
  pass(31_000)
  // At half its maximum age the value is returned once more and counted again in the background.
  expect(await cache.get()).toBe(20_000)
  await endScan()
  expect(await cache.get()).toBe(20_001)
  expect(table).toMatchObject({ scans: 2, most: 1 })
})
