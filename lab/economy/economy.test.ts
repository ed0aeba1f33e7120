import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { report } from './report.ts'
import { openStage } from './stage.ts'

// It starts a database of its own, possibly on a busy machine.
vi.setConfig({ testTimeout: 300_000 })

const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

/** Simulates 60 people for 33 days, with one checkpoint. `stopAt` interrupts it there once. */
async function simulate(seed: number, stopAt?: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-economy-'))
  folders.push(folder)
  const size = { seed, agents: 60, days: 33 }
  const attempt = async (hear: (progress: { day: number }) => void) => {
    const stage = await openStage(folder, size)
    try {
      return report([{ title: 'all rules', outcome: await stage.run('all', hear) }])
    } finally {
      await stage.close()
    }
  }
  const interrupt = ({ day }: { day: number }) => {
    if (day === stopAt) throw new Error('interrupted')
  }
  if (stopAt !== undefined) await expect(attempt(interrupt)).rejects.toThrow('interrupted')
  return attempt(() => undefined)
}

test('the same seed gives the same table, also after an interruption', async () => {
  const table = await simulate(1)
  expect(table).toContain('newcomers with a first unlock within 7 days')
  expect(await simulate(1, 30)).toBe(table)
  expect(await simulate(2)).not.toBe(table)
})
