/** Every statement of the product, on seeded databases of two sizes: none may grow with the tables. */
import { expect, test, vi } from 'vitest'
import {
  describePlan,
  describeSite,
  judgePlans,
  refusedOf,
  unexplainedOf,
  type Judged,
} from './plans.ts'
import { UNWALKED } from './plans-unwalked.ts'
import { buildPages } from './product.ts'
import { findSites, findUnreached } from './statement-sites.ts'

// Two databases are filled and the product started on each, on a machine that may be busy.
vi.setConfig({ testTimeout: 700_000 })

const harmless: Judged = {
  name: 'harmless',
  text: 'select from lessons',
  scanned: [],
  rowsSmall: 20,
  rows: 20,
  hasGrown: false,
  took: 1,
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
  // Its pages are part of the walk.
  await buildPages()
  const { statements, failed, unreached } = await judgePlans(16_000, () => undefined)
  expect(failed).toEqual([])
  expect(statements.length).toBeGreaterThan(300)
  expect(refusedOf(statements).map(describePlan)).toEqual([])
  expect(unexplainedOf(unreached).map(describeSite)).toEqual([])
})

test('a place that sends a statement is asked for a reason when no walk comes past it', () => {
  const sites = findSites()
  expect(sites.length).toBeGreaterThan(250)
  expect(sites.map(({ file }) => file)).toContain('server/likes/store.ts')
  // Without a run none is reached.
  expect(findUnreached([])).toHaveLength(sites.length)
  const [likes] = sites.filter(({ file }) => file === 'server/likes/store.ts')
  expect(likes === undefined ? [] : unexplainedOf([likes])).toEqual([likes])
  const reasons = UNWALKED.filter(
    ({ in: place, part = '' }) =>
      !sites.some(({ file, text }) => file.startsWith(place) && text.includes(part)),
  )
  expect(reasons).toEqual([])
})
