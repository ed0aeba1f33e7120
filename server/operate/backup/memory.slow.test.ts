/** Measures the memory of a backup and a restore, started as by `npm run`. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TEST_SECRET } from '#server/testing/app.ts'
import { addressOf, type Installation } from '#server/testing/backup/commands.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { makeTestFolder } from '#server/testing/folder.ts'
import { openTestApp } from '#server/testing/setup.ts'

const MB = 1024 * 1024
/** The bound for an installation of any size. */
const MOST_BYTES = 256 * MB
const FILES = 12
const FILE_BYTES = 40 * MB

const folder = await makeTestFolder()
const app = await openTestApp()
await mkdir(join(app.dataDir, 'files', 'resources'), { recursive: true })
for (let count = 0; count < FILES; count += 1) {
  const file = await open(join(app.dataDir, 'files', 'resources', randomUUID()), 'w')
  await file.truncate(FILE_BYTES).finally(() => file.close())
}

/** Returns the peak memory of a command as the system counts it. */
async function measure(script: string, to: Installation, file: string): Promise<number> {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    await readFile('package.json', 'utf8'),
  )
  const words = (scripts[script] ?? '').split(' ').slice(2)
  // exec replaces the process, so its id stays the same.
  const child = spawn(process.execPath, [...words, file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: to.dataDir,
      ...(to.connection && { DATABASE_URL: addressOf(to.connection), AUTH_SECRETS: TEST_SECRET }),
    },
  })
  let said = ''
  child.stderr.on('data', (piece: Buffer) => (said += String(piece)))
  let most = 0
  const look = () => {
    try {
      const [, kilobytes = '0'] =
        /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
      most = Math.max(most, Number(kilobytes) * 1024)
    } catch {
      // The process has ended.
    }
  }
  const looking = setInterval(look, 10)
  await once(child, 'close').finally(() => clearInterval(looking))
  expect({ code: child.exitCode, said }).toMatchObject({ code: 0 })
  return most
}

test.runIf(process.platform === 'linux')(
  'a backup of half a gigabyte takes less than 256 MB of memory, and so does its restore',
  async () => {
    const file = join(folder, 'large.tar')
    const made = await measure('backup', app, file)
    expect(made).toBeGreaterThan(50 * MB)
    expect(made).toBeLessThan(MOST_BYTES)
    const to = { connection: await createTestDatabase(), dataDir: join(folder, 'data') }
    expect(await measure('restore', to, file)).toBeLessThan(MOST_BYTES)
  },
  180_000,
)
