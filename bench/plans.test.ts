/** Every statement of a walk through the product, on seeded databases of two sizes: none may grow with the tables. */
import { expect, test, vi } from 'vitest'
import { describePlan, judgePlans, refusedOf, type Judged } from './plans.ts'

// Two databases are filled and the product started on each, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 })

const harmless: Judged = {
  name: 'harmless',
  text: 'select from lessons',
  scanned: [],
  rowsSmall: 20,
  rows: 20,
  hasGrown: false,
  plan: [],
  isPrepared: true,
}

test('a statement that reads a big table, or more rows of a bigger one, is refused', () => {
  expect(refusedOf([harmless])).toEqual([])
  const scanning = { ...harmless, scanned: ['lessons'] }
  const growing = { ...harmless, rowsSmall: 1000, rows: 8000, hasGrown: true }
  expect(refusedOf([harmless, scanning, growing])).toEqual([scanning, growing])
})

test('no statement of the walk reads a big table from end to end, or more of it when it grows', async () => {
  const { statements, failed } = await judgePlans(8000, () => undefined)
  expect(failed).toEqual([])
  expect(statements.length).toBeGreaterThan(50)
  expect(refusedOf(statements).map(describePlan)).toEqual([])
})
