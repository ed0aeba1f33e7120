import { expect, test, vi } from 'vitest'
import { createBatches } from '#server/kernel/queues/batches.ts'

interface Item {
  readonly who: string
  readonly what: string
}
const item = (who: string, what = who): Item => ({ who, what })

/** A writer whose batches end on demand. */
function open(most: number, patienceMs = 60_000) {
  const batches: string[][] = []
  const ends: (() => void)[] = []
  const write = createBatches<Item, string>({
    most,
    subjectOf: ({ who }) => who,
    patienceMs,
    work: async (items) => {
      batches.push(items.map(({ what }) => what))
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.push(resolve)
      await promise
      if (items.some(({ what }) => what === 'broken')) throw new Error('it broke')
      return items.map(({ what }) => `${what} done`)
    },
  })
  const end = async () => {
    ends.at(-1)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { write, batches, end }
}

test('the first goes at once, and what comes meanwhile goes together', async () => {
  const { write, batches, end } = open(2)
  const all = ['a', 'b', 'c', 'd'].map((who) => write(item(who)))
  expect(batches).toEqual([['a']])
  for (let n = 0; n < 3; n += 1) await end()
  expect(batches).toEqual([['a'], ['b', 'c'], ['d']])
  expect(await Promise.all(all)).toEqual(['a done', 'b done', 'c done', 'd done'])
})

test('of one subject there is one in a batch, in the order in which they came', async () => {
  const { write, batches, end } = open(10)
  const all = [
    write(item('a', 'a1')),
    write(item('a', 'a2')),
    write(item('a', 'a3')),
    write(item('b')),
  ]
  for (let n = 0; n < 3; n += 1) await end()
  expect(batches).toEqual([['a1'], ['a2', 'b'], ['a3']])
  expect(await Promise.all(all)).toHaveLength(4)
})

test('what a batch throws all of it get, and the next one goes on', async () => {
  const { write, end } = open(10)
  const first = write(item('a'))
  const failing = Promise.allSettled([write(item('b', 'broken')), write(item('c'))])
  await end()
  await end()
  const next = write(item('d'))
  await end()
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect([await first, await next]).toEqual(['a done', 'd done'])
})

test('a batch that is late does not keep the next one from beginning', async () => {
  const { write, batches, end } = open(10, 20)
  void write(item('a'))
  const next = write(item('b'))
  await vi.waitUntil(() => batches.length === 2)
  await end()
  expect(await next).toBe('b done')
})
