/** What `npm run bench -- --call` says of a call: measured on a small market, with the product as it was built last. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { removeDataDir } from '#server/testing/product.ts'
import { measureCalls } from './call.ts'
import { describeBudget, tableOf } from './call-print.ts'

// A database is filled and the product started, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 })

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kb-call-'))
})
afterAll(() => removeDataDir(folder))

test('the table of a call holds its statements, with their plans and the rows that they read', async () => {
  // A person's own list: nothing of it comes from a cache.
  const call = 'GET /api/lesson/bought'
  const { budgets } = await measureCalls([{ call, as: 'reader' }], {
    // With fewer, nobody has the six lessons that a course needs.
    lessons: 4000,
    seconds: 0.5,
    connections: 2,
    folder,
  })
  const [budget] = budgets
  expect(budget).toMatchObject({ status: 200, wrong: '' })
  if (budget === undefined) return
  const bought = budget.statements.find(({ text }) => text.includes('lesson_purchases'))
  expect(bought?.isAfterAnswer).toBe(false)
  expect(bought?.ran?.rowsRead).toBeGreaterThan(10)
  expect(bought?.ran?.buffers).toBeGreaterThan(0)
  const said = describeBudget(budget, false)
  expect(said).toContain(`${call}, reader: 200`)
  expect(said).toMatch(/Index (?:Only )?Scan .*lesson_purchases/)
  const rows = tableOf(budgets, [])
    .split('\n')
    .filter((line) => line.includes(call))
  expect(rows).toHaveLength(1)
  const cells = rows[0]?.split('|').map((cell) => cell.trim()) ?? []
  const before = budget.statements.filter(({ isAfterAnswer }) => !isAfterAnswer)
  expect(cells[6]).toMatch(new RegExp(`^${before.length}(?: |$)`))
  expect(Number(cells[7])).toBeGreaterThan(10)
})
