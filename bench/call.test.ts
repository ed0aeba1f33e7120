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
  const { budgets } = await measureCalls([{ call: 'GET /api/lesson/{n}', as: 'reader' }], {
    // With fewer, nobody has the six lessons that a course needs.
    lessons: 4000,
    seconds: 0.5,
    connections: 2,
    folder,
  })
  const [budget] = budgets
  expect(budget).toMatchObject({ status: 200, wrong: '' })
  if (budget === undefined) return
  // Who calls, and the lesson with its sixty comments.
  const [caller, lesson] = budget.statements
  expect(caller?.text).toContain('sessions')
  expect(lesson?.ran?.rowsRead).toBeGreaterThan(60)
  expect(budget.statements).toHaveLength(2)
  for (const { ran, isAfterAnswer } of budget.statements) {
    expect(isAfterAnswer).toBe(false)
    expect(ran?.buffers).toBeGreaterThan(0)
  }
  const said = describeBudget(budget, false)
  expect(said).toMatch(/^GET \/api\/lesson\/\{n\}, reader: 200/)
  expect(said).toMatch(/Index (?:Only )?Scan .*comments/)
  const rows = tableOf(budgets, [])
    .split('\n')
    .filter((line) => line.includes('GET /api/lesson/{n}'))
  expect(rows).toHaveLength(1)
  const cells = rows[0]?.split('|').map((cell) => cell.trim()) ?? []
  expect(cells[6]).toBe('2')
  expect(Number(cells[7])).toBeGreaterThan(60)
})
