import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Queue, type Asker } from '#server/kernel/limits/queue.ts'

/** Makes a task that ends on demand. */
function hold() {
  const end = Promise.withResolvers<string>()
  return { task: () => end.promise, end: () => end.resolve('done') }
}

/** Fills the only slot of a queue, and records the order of what waits for it. */
function holdQueue(all: number) {
  const queue = new Queue({ atOnce: { all: 1 }, waiting: { all } })
  const { task, end } = hold()
  const order: string[] = []
  const tasks = [queue.run('one', task)]
  const ask = (asker: Asker, name: string) =>
    void tasks.push(
      queue.run(asker, async () => {
        order.push(name)
        return name
      }),
    )
  return { ask, end: () => (end(), Promise.allSettled(tasks)), order }
}

test('tasks of one asker wait for each other, and those of others do not', async () => {
  const queue = new Queue({ atOnce: { each: 1 }, waiting: {} })
  const steps: string[] = []
  const act = (name: string, ms: number) => async () => {
    steps.push(`${name} begins`)
    await wait(ms)
    steps.push(`${name} ends`)
    return name
  }
  const all = [
    queue.run('ann', act('a1', 30)),
    queue.run('ann', act('a2', 0)),
    queue.run('bob', act('b', 5)),
  ]
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b'])
  expect(steps).toEqual(['a1 begins', 'b begins', 'b ends', 'a1 ends', 'a2 begins', 'a2 ends'])
})

test('a failed task frees its slot', async () => {
  const queue = new Queue({ atOnce: { all: 1 }, waiting: {} })
  const failed = queue.run('ann', () => Promise.reject(new Error('no')))
  const next = queue.run('bob', () => Promise.resolve('yes'))
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})

test('one asker has limited running and waiting tasks, and others are let in', async () => {
  const queue = new Queue({ atOnce: { each: 2 }, waiting: { each: 1 } })
  const { task, end } = hold()
  const taken = [1, 2, 3].map(() => queue.run('ann', task))
  await expect(queue.run('ann', task)).rejects.toThrow('429 tooManyRequests')
  expect(await queue.run('bob', async () => 'in between')).toBe('in between')
  end()
  expect(await Promise.all(taken)).toEqual(['done', 'done', 'done'])
})

test('tasks above the limit of all are refused until others end', async () => {
  const queue = new Queue({ atOnce: { all: 1 }, waiting: { all: 1 } })
  const { task, end } = hold()
  const taken = [queue.run('one', task), queue.run('one', async () => 'second')]
  await expect(queue.run('other', task)).rejects.toThrow('503 unavailable')
  end()
  expect(await Promise.all(taken)).toEqual(['done', 'second'])
  expect(await queue.run('one', async () => 'fourth')).toBe('fourth')
})

test('an asker who waits for a slot of their own holds up nobody', async () => {
  const queue = new Queue({ atOnce: { each: 1, all: 2 }, waiting: {} })
  const [first, second] = [hold(), hold()]
  const ofAnn = [queue.run('ann', first.task), queue.run('ann', async () => 'later')]
  const ofBob = queue.run('bob', second.task)
  const ofEve = queue.run('eve', async () => 'now')
  second.end()
  expect([await ofBob, await ofEve]).toEqual(['done', 'now'])
  first.end()
  expect(await Promise.all(ofAnn)).toEqual(['done', 'later'])
})

test('a task that has waited too long is refused, and the queue goes on', async () => {
  const queue = new Queue({ atOnce: { each: 1 }, waiting: { each: 1, longestMs: 20 } })
  const { task, end } = hold()
  const running = queue.run('ann', task)
  await expect(queue.run('ann', async () => 'late')).rejects.toThrow('503 unavailable')
  const next = queue.run('ann', async () => 'next')
  end()
  expect([await running, await next]).toEqual(['done', 'next'])
})

test('known askers pass others, but not always', async () => {
  const { ask, end, order } = holdQueue(10)
  ask('other', 'stranger')
  for (let number = 0; number < 8; number += 1) ask({ known: 'device' }, 'known')
  await end()
  expect(order.indexOf('stranger')).toBe(3)
})

test('askers take turns, and known ones come first', async () => {
  const { ask, end, order } = holdQueue(10)
  for (const number of [1, 2, 3]) ask('one', `one ${number}`)
  ask('other', 'other')
  ask({ known: 'device' }, 'known')
  await end()
  expect(order).toEqual(['known', 'one 1', 'other', 'one 2', 'one 3'])
})

test('when too many wait, the asker with most tasks loses one to a newcomer', async () => {
  const { ask, end, order } = holdQueue(3)
  for (const number of [1, 2, 3, 4, 5]) ask('one', `one ${number}`)
  ask('other', 'other')
  const refused = (await end()).filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject(Array(3).fill({ reason: { status: 503 } }))
  expect(order).toEqual(['one 1', 'other', 'one 2'])
})

test('one asker never takes all slots of another', () => {
  const queue = new Queue({ atOnce: { each: 2, all: 4 } })
  const first = queue.take('ann')
  queue.take('ann')
  expect(queue.hasRoom('ann')).toBe(false)
  expect(() => queue.take('ann')).toThrow('429 tooManyRequests')
  queue.take('bob')
  first()
  first()
  queue.take('ann')
  expect(() => queue.take('ann')).toThrow('429 tooManyRequests')
  queue.take('eve')
  expect(() => queue.take('dan')).toThrow('503 unavailable')
})
