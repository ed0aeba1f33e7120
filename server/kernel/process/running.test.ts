import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { findPublicUrl, noteAddress } from '#server/kernel/process/running.ts'

let DATA_DIR: string
beforeEach(async () => {
  DATA_DIR = await mkdtemp(join(tmpdir(), 'kb-running-'))
  return () => rm(DATA_DIR, { recursive: true, force: true })
})

const find = (PUBLIC_URL?: string) => findPublicUrl({ PUBLIC_URL, PORT: 3000, DATA_DIR })

test('a worker links to the server of its data folder, whichever port that has', async () => {
  const takeAway = await noteAddress(DATA_DIR, 'http://localhost:3007')
  expect(await find()).toBe('http://localhost:3007')
  expect(await find('https://bazaar.example')).toBe('https://bazaar.example')
  await takeAway()
  expect(await find()).toBe('http://localhost:3000')
})

test('the address of a server that has ended is ignored', async () => {
  // This is above the maximum process id, so no process has it.
  await writeFile(join(DATA_DIR, 'address'), '4194305 http://localhost:3007\n')
  expect(await find()).toBe('http://localhost:3000')
})
