import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Outcome } from './experiment.ts'
import { writeTable } from './table.ts'

const outcome = (fault: string, acknowledged: number, note: string): Outcome => ({
  fault,
  tries: 1,
  acknowledged,
  lost: 0,
  doubled: 0,
  died: 0,
  recoveryMs: [1000],
  note,
})

test('the rows of some experiments take the places of their older ones, and the table says where they are from', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kb-table-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'a.md')
  expect(() => writeTable('README.md', 'no such', { where: '', only: null, outcomes: [] })).toThrow(
    'no place for the table',
  )
  await writeFile(file, 'Before.\n<!-- t begins -->\n<!-- t ends -->\nAfter.\n')
  const [one, two] = [outcome('one', 10, 'a; b (c)'), outcome('two', 20, 'd')]
  writeTable(file, 't', { where: 'Commit 1.', only: null, outcomes: [one, two] })
  const [again, three] = [outcome('one', 11, 'e'), outcome('three', 30, 'f')]
  for (const where of ['Commit 2.', 'Commit 3.'])
    writeTable(file, 't', { where, only: ['one', 'three'], outcomes: [again, three] })
  const text = await readFile(file, 'utf8')
  const rows = text.split('\n').filter((line) => line.startsWith('|'))
  expect(rows.map((row) => row.split('|').map((cell) => cell.trim())[3])).toEqual([
    'acknowledged',
    '------------',
    '11',
    '20',
    '30',
  ])
  expect(rows[2]).toContain('one (e)')
  expect(text).toMatch(/^Before\.\n.*\n\nCommit 1\.\n\nOf these one, three: Commit 3\.\n\n\|/)
  expect(text).toMatch(/\|\n\n<!-- t ends -->\nAfter\.\n$/)
})
