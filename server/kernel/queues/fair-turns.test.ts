import { expect, test } from 'vitest'
import {
  askerAt,
  createFairTurns,
  knownAsker,
  type Asker,
} from '#server/kernel/queues/fair-turns.ts'

const one = askerAt('192.0.2.1')
const other = askerAt('192.0.2.2')

/** Makes a task that ends on demand. */
function hold() {
  const end = Promise.withResolvers<string>()
  return { task: () => end.promise, end: () => end.resolve('done') }
}

test('one asker has so many waiting, others are let in', async () => {
  const inTurn = createFairTurns({ atOnce: 1, most: 10, each: 2 })
  const { task, end } = hold()
  const ask = (asker: Asker) => inTurn(asker, task)
  const taken = [ask(one), ask(one), ask(one)]
  await expect(ask(one)).rejects.toThrowError('503 unavailable')
  taken.push(ask(other))
  end()
  expect(await Promise.all(taken)).toEqual(['done', 'done', 'done', 'done'])
})

test('a task that has waited too long is refused and frees its slot', async () => {
  const inTurn = createFairTurns({ atOnce: 1, most: 1, longest: 50 })
  const { task, end } = hold()
  const running = inTurn(one, task)
  await expect(inTurn(other, task)).rejects.toThrowError('503 unavailable')
  const next = inTurn(other, async () => 'next')
  end()
  expect([await running, await next]).toEqual(['done', 'next'])
})

test('with a single asker, tasks above the limit are refused', async () => {
  const inTurn = createFairTurns({ atOnce: 1, most: 1 })
  const { task, end } = hold()
  const taken = [inTurn(one, task), inTurn(one, async () => 'second')]
  await expect(inTurn(one, async () => 'third')).rejects.toThrowError('503 unavailable')
  end()
  expect(await Promise.all(taken)).toEqual(['done', 'second'])
  expect(await inTurn(one, async () => 'fourth')).toBe('fourth')
})

test('with a single asker, tasks run one at a time, even after failures', async () => {
  const inTurn = createFairTurns({ atOnce: 1, most: 8 })
  let running = 0
  const task = async () => {
    running += 1
    const seen = running
    await new Promise((resolve) => setTimeout(resolve, 5))
    running -= 1
    if (seen > 1) throw new Error('side by side')
    return seen
  }
  const failed = inTurn(one, async () => {
    throw new Error('broken')
  })
  const results = await Promise.allSettled([failed, ...[1, 2, 3].map(() => inTurn(one, task))])
  expect(results.map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ])
})

test('known askers pass others, but not always', async () => {
  const inTurn = createFairTurns({ atOnce: 1, most: 10 })
  const { task, end } = hold()
  const order: string[] = []
  const note = (name: string) => async () => void order.push(name)
  const all = [inTurn(one, task), inTurn(other, note('stranger'))]
  const known = knownAsker('device')
  const more = Array.from({ length: 8 }, () => inTurn(known, note('known')))
  end()
  await Promise.all([...all, ...more])
  expect(order.indexOf('stranger')).toBe(3)
})

test('turns rotate by address, and known askers come first', async () => {
  const inTurn = createFairTurns({ atOnce: 1, most: 10 })
  const { task, end } = hold()
  const order: string[] = []
  const note = (name: string) => async () => void order.push(name)
  const all = [inTurn(one, task), ...[1, 2, 3].map((n) => inTurn(one, note(`one ${n}`)))]
  const more = [inTurn(other, note('other')), inTurn(knownAsker('device'), note('known'))]
  end()
  await Promise.all([...all, ...more])
  expect(order).toEqual(['known', 'one 1', 'other', 'one 2', 'one 3'])
})

test('when too many wait, the asker with most tasks loses one to a newcomer', async () => {
  const inTurn = createFairTurns({ atOnce: 1, most: 3 })
  const { task, end } = hold()
  const order: string[] = []
  const note = (name: string) => async () => void order.push(name)
  const flood = [inTurn(one, task), ...[1, 2, 3, 4, 5].map((n) => inTurn(one, note(`one ${n}`)))]
  const settled = Promise.allSettled(flood)
  const last = inTurn(other, note('other'))
  end()
  await last
  const refused = (await settled).filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject(Array(3).fill({ reason: { status: 503 } }))
  expect(order).toEqual(['one 1', 'other', 'one 2'])
})
