/** Short versions of `npm run test:faults`. */
import { expect, test } from 'vitest'
import { databaseExperiments } from './database.ts'
import { breachesOf, type Experiment } from './experiment.ts'
import { failoverExperiments } from './failover.ts'
import { kill, restart } from './kill.ts'
import { rolling } from './rolling.ts'

const runOnce = (experiment: Experiment, tries: number) =>
  experiment.run({ tries, seed: 7, say: () => undefined })

// Only the whole command on an idle machine judges durations.
const isLate = (breach: string) => /it took longer than/.test(breach)

test.each(databaseExperiments.map((experiment) => [experiment.name, experiment] as const))(
  'no acknowledged write is lost or duplicated by the fault "%s", and the node continues',
  async (_name, experiment) => {
    const [outcome] = await runOnce(experiment, 2)
    expect(outcome).toMatchObject({ tries: 2, lost: 0, doubled: 0, died: 0 })
    expect(outcome?.acknowledged).toBeGreaterThan(3)
    expect(outcome?.breaches?.filter((breach) => !isLate(breach))).toEqual([])
  },
  120_000,
)

test.each(
  [kill, restart, ...failoverExperiments].map(
    (experiment) => [experiment.name, experiment] as const,
  ),
)(
  'no acknowledged write is lost or duplicated by "%s", and writes continue in time',
  async (_name, experiment) => {
    const [outcome] = await runOnce(experiment, 1)
    expect(outcome).toMatchObject({ tries: 1, lost: 0, doubled: 0, died: 0, breaches: [] })
    expect(outcome?.acknowledged).toBeGreaterThan(3)
    expect(outcome?.recoveryMs).toHaveLength(1)
  },
  150_000,
)

test('two nodes behind nginx are restarted without a failed request or a lost message', async () => {
  const outcomes = await runOnce(rolling, 1)
  expect(outcomes.flatMap(breachesOf)).toEqual([])
  for (const { acknowledged } of outcomes) expect(acknowledged).toBeGreaterThan(50)
}, 180_000)
