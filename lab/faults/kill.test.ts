/** The short form of `npm run test:faults -- --only kill,restart`. */
import { expect, test } from 'vitest'
import { kill, restart } from './kill.ts'

test.each([kill, restart].map((experiment) => [experiment.name, experiment] as const))(
  'nothing acknowledged is lost or doubled by a "%s" of the whole product, and it starts again',
  async (_name, experiment) => {
    const [outcome] = await experiment.run({ tries: 1, seed: 3, say: () => undefined })
    expect(outcome).toMatchObject({ tries: 1, lost: 0, doubled: 0, died: 0, breaches: [] })
    expect(outcome?.acknowledged).toBeGreaterThan(3)
    expect(outcome?.recoveryMs).toHaveLength(1)
  },
  150_000,
)
