import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import { countRuns, isThorough } from '#server/testing/lane.ts'
import { BUGS } from './bugs.ts'
import { openStage, type Stage } from './history.ts'
import { type Locks, openLocks } from './locks.ts'
import { applyBug } from './plant.ts'
import { type Plan, plans } from './plans.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'kb-simulation-'))
let locks: Locks
let stage: Stage
// In a hook, whose time is bounded: a statement that nobody releases would wait for ever.
beforeAll(async () => {
  const database = await createTestDatabase()
  locks = await openLocks(database)
  stage = await openStage(database, { locks, dataDir })
}, 60_000)
afterAll(async () => {
  await stage.close()
  await locks.close()
  await rm(dataDir, { recursive: true, force: true })
})

const TWO_MINUTES = 120_000
const TEN_MINUTES = 600_000

async function expectToHold(plan: Plan): Promise<void> {
  const { broken, story } = await stage.run(plan)
  expect(broken, story.join('\n')).toEqual([])
}

test('histories that found a bug hold', { timeout: TWO_MINUTES }, async () => {
  const text = await readFile(join(import.meta.dirname, 'regressions.jsonl'), 'utf8')
  for (const line of text.trim().split('\n')) await expectToHold(JSON.parse(line) as Plan)
})

test('random histories hold', { timeout: 2 * TEN_MINUTES }, async () => {
  const endless = { numRuns: 1_000_000, interruptAfterTimeLimit: TEN_MINUTES }
  const some = { numRuns: 500, endOnFailure: true }
  const property = fc.asyncProperty(plans, expectToHold)
  await fc.assert(property, { ...(isThorough() ? endless : some), seed: 1 })
})

test('the same history happens in the same order', { timeout: 600_000 }, async () => {
  const some = fc.sample(plans, { numRuns: countRuns(24), seed: 2 })
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
