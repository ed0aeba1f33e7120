import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import { BUGS } from './bugs.ts'
import { openStage, plans, type Plan } from './history.ts'
import { openLocks } from './locks.ts'
import { applyBug } from './plant.ts'

const settings = await createTestDatabase()
const locks = await openLocks(settings)
const dataDir = await mkdtemp(join(tmpdir(), 'kb-simulation-'))
const stage = await openStage(settings, { locks, dataDir })
afterAll(async () => {
  await stage.close()
  await locks.close()
  await rm(dataDir, { recursive: true, force: true })
})

const TEN_MINUTES = 600_000

test('random histories hold for ten minutes', { timeout: 2 * TEN_MINUTES }, async () => {
  const property = fc.asyncProperty(plans, async (plan) => {
    const { broken, story } = await stage.run(plan)
    expect(broken, story.join('\n')).toEqual([])
  })
  const endless = { numRuns: 1_000_000, interruptAfterTimeLimit: TEN_MINUTES }
  await fc.assert(property, { ...endless, seed: 1 })
})

test('the same history happens in the same order', { timeout: 600_000 }, async () => {
  const some = fc.sample(plans, { numRuns: 30, seed: 2 })
  const tracesOf = async (list: readonly Plan[]) => {
    const traces: string[] = []
    for (const plan of list) traces.push((await stage.run(plan)).hash)
    return traces
  }
  const forwards = await tracesOf(some)
  // Another order leaves other connections idle.
  expect((await tracesOf(some.toReversed())).toReversed()).toEqual(forwards)
  expect(new Set(forwards).size).toBe(some.length)
})

describe('planted bugs', () => {
  test.each(BUGS)('$name: the place exists', (bug) => {
    expect(applyBug(bug)).toContain(bug.replace)
  })
})
