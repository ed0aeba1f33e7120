import { expect, test } from 'vitest'
import { databaseExperiments } from './database.ts'
import { startHere } from './here.ts'

// Speed is for `npm run test:faults`, on a machine that does nothing else; here the others' tests run beside.
const isLate = (breach: string) => /it took longer than/.test(breach)

test.each(databaseExperiments(startHere).map((experiment) => [experiment.name, experiment]))(
  'nothing acknowledged is lost or doubled by the fault "%s", and the node goes on',
  async (_name, experiment) => {
    const [outcome] = await experiment.run({ tries: 2, seed: 7, say: () => undefined })
    expect(outcome).toMatchObject({ tries: 2, lost: 0, doubled: 0, died: 0 })
    expect(outcome?.acknowledged).toBeGreaterThan(3)
    expect(outcome?.breaches?.filter((breach) => !isLate(breach))).toEqual([])
  },
  120_000,
)
