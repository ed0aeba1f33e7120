import { expect, test } from 'vitest'
import { failoverExperiments } from './failover.ts'
import { startHere } from './here.ts'

test.each(failoverExperiments(startHere).map((experiment) => [experiment.name, experiment]))(
  'nothing acknowledged is lost or doubled by the fail-over "%s", and the node goes on in time',
  async (_name, experiment) => {
    const [outcome] = await experiment.run({ tries: 1, seed: 7, say: () => undefined })
    expect(outcome).toMatchObject({ tries: 1, lost: 0, doubled: 0, died: 0, breaches: [] })
    expect(outcome?.acknowledged).toBeGreaterThan(3)
  },
  120_000,
)
