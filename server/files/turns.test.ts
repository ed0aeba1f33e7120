import { expect, test } from 'vitest'
import { createTurns } from '#server/files/turns.ts'

const { promise: opened, resolve: open } = Promise.withResolvers<void>()

test('more tasks than may wait are refused', async () => {
  const inTurn = createTurns(2, () => new Error('full'))
  const kept = [inTurn(() => opened), inTurn(async () => 'second')]
  await expect(inTurn(async () => 'third')).rejects.toThrow('full')
  open()
  expect(await Promise.all(kept)).toEqual([undefined, 'second'])
  expect(await inTurn(async () => 'fourth')).toBe('fourth')
})

test('tasks run one at a time, failures too', async () => {
  const inTurn = createTurns(9, () => new Error('full'))
  let running = 0
  const task = async () => {
    running += 1
    const seen = running
    await new Promise((resolve) => setTimeout(resolve, 5))
    running -= 1
    if (seen > 1) throw new Error('side by side')
    return seen
  }
  const failed = inTurn(async () => {
    throw new Error('broken')
  })
  const results = await Promise.allSettled([failed, inTurn(task), inTurn(task), inTurn(task)])
  expect(results.map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ])
})
