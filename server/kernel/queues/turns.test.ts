import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from '#server/kernel/queues/turns.ts'

test('calls of one subject wait for each other, and those of others do not', async () => {
  const inTurn = createTurns()
  const steps: string[] = []
  const act = (name: string, ms: number) => async () => {
    steps.push(`${name} begins`)
    await wait(ms)
    steps.push(`${name} ends`)
    return name
  }
  const all = [
    inTurn('ann', act('a1', 30)),
    inTurn('ann', act('a2', 0)),
    inTurn('bob', act('b', 5)),
  ]
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b'])
  expect(steps).toEqual(['a1 begins', 'b begins', 'b ends', 'a1 ends', 'a2 begins', 'a2 ends'])
})

test('a failed call frees its slot', async () => {
  const inTurn = createTurns()
  const failed = inTurn('ann', () => Promise.reject(new Error('no')))
  const next = inTurn('ann', () => Promise.resolve('yes'))
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})

test('one subject has limited running and waiting calls, and others are not affected', async () => {
  const inTurn = createTurns({ atOnce: 2, mostWaiting: 1 })
  const end = Promise.withResolvers<string>()
  let running = 0
  const act = () => {
    running += 1
    return end.promise
  }
  const taken = [inTurn('ann', act), inTurn('ann', act), inTurn('ann', act)]
  await expect(inTurn('ann', act)).rejects.toThrow('429 tooManyRequests')
  expect(await inTurn('bob', async () => running)).toBe(2)
  end.resolve('done')
  expect(await Promise.all(taken)).toEqual(['done', 'done', 'done'])
})

test('a call that has waited too long is refused, and the queue goes on', async () => {
  const inTurn = createTurns({ longestMs: 20 })
  const slow = inTurn('ann', () => wait(40))
  const late = inTurn('ann', () => Promise.resolve('too late'))
  await expect(late).rejects.toThrow('503 unavailable')
  await slow
  expect(await inTurn('ann', () => Promise.resolve('yes'))).toBe('yes')
})
