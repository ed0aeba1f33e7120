/**
 * Tests that a backup yields to the server's processes: the command, and its backend in a database on this
 * machine.
 */
import { once } from 'node:events'
import { getPriority } from 'node:os'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeBackup, NICE } from '#server/operate/backup/backup.ts'
import { createDiskStorage } from '#server/platform/files/places/disk.ts'
import { createLog } from '#server/kernel/log.ts'
import { TEST_SECRET } from '#server/testing/app.ts'
import { addressOf, ask } from '#server/testing/backup/commands.ts'
import { makeTestFolder } from '#server/testing/folder.ts'
import { openTestApp } from '#server/testing/setup.ts'

const folder = await makeTestFolder()
const app = await openTestApp()

test('the command has a lower priority than other processes', async () => {
  const child = spawn(process.execPath, ['scripts/backup.ts', join(folder, 'one.tar')], {
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: app.dataDir,
      DATABASE_URL: addressOf(app.connection),
      AUTH_SECRETS: TEST_SECRET,
    },
  })
  const seen = new Set<number>()
  const looking = setInterval(() => {
    try {
      seen.add(getPriority(child.pid))
    } catch {
      // The process has ended.
    }
  }, 10)
  await once(child, 'close').finally(() => clearInterval(looking))
  expect(child.exitCode).toBe(0)
  expect(seen).toContain(NICE)
})

test.each([
  ['nice where people are served meanwhile', true],
  ['like any other where nobody is', false],
])('its session in the database is %s', async (_, isNice) => {
  let seen: number[] = []
  await makeBackup(
    {
      connection: app.connection,
      storage: await createDiskStorage(join(app.dataDir, 'files')),
      dataDir: app.dataDir,
      log: createLog('silent'),
      version: '1.0.0',
      isNice,
      begun: async () => {
        seen = await sessionPriorities()
      },
    },
    async (archive) => {
      for await (const piece of archive) if (piece === null) break
    },
  )
  expect(seen.filter((priority) => priority === NICE)).toHaveLength(isNice ? 1 : 0)
})

/** Returns the priorities of this database's backends, without those that ended meanwhile. */
async function sessionPriorities(): Promise<number[]> {
  const rows = await ask(
    app.connection,
    `select pid from pg_stat_activity where datname = current_database()`,
  )
  return rows.flatMap(({ pid }) => {
    try {
      return [getPriority(Number(pid))]
    } catch {
      return []
    }
  })
}
