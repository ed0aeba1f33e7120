/** The short form of `npm run test:faults -- --only rolling`. */
import { expect, test } from 'vitest'
import { breachesOf } from './experiment.ts'
import { rolling } from './rolling.ts'

test('two nodes behind nginx are restarted without a failed request or a lost message', async () => {
  const outcomes = await rolling.run({ tries: 1, seed: 1, say: () => {} })
  expect(outcomes.flatMap(breachesOf)).toEqual([])
  for (const { acknowledged } of outcomes) expect(acknowledged).toBeGreaterThan(50)
}, 180_000)
