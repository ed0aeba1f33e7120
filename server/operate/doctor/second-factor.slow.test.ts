import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { TEST_SECRET } from '#server/testing/app.ts'
import { addressOf } from '#server/testing/backup/commands.ts'
import { openTestApp } from '#server/testing/setup.ts'

const run = promisify(execFile)

const app = await openTestApp()

/** Returns the output lines about the setting. */
async function linesAbout(environment: Record<string, string>): Promise<string[]> {
  const { stdout } = await run(process.execPath, ['scripts/doctor.ts'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: addressOf(app.connection),
      AUTH_SECRETS: TEST_SECRET,
      DATA_DIR: app.dataDir,
      ...environment,
    },
    timeout: 60_000,
    // Ignores other problems of an empty installation.
  }).catch((error: { stdout: string }) => error)
  return [...stdout.matchAll(/^([✓!✗]) SECOND_FACTOR +(.*)$/gm)].map(
    ([, sign, says]) => `${sign} ${says}`,
  )
}

test('people without a required second factor are counted, administrators by name', async () => {
  const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')]
  const { pool } = app.app.database
  await pool.query(`update users set role = 'administrator' where id = $1`, [ann.session._id])
  await pool.query('update users set second_factor_at = now() where id = $1', [bob.session._id])
  expect(await linesAbout({ SECOND_FACTOR: 'all' })).toEqual([
    '! demanded of all: 1 of 2 people have none. They may do nothing but set one up, at their next visit. Administrators among them: ann.',
  ])
  expect(await linesAbout({ ADMIN_SECOND_FACTOR: '1' })).toEqual([
    '! demanded of administrators: 1 of 1 administrators have none. Until they set one up they are users like all. Administrators among them: ann.',
  ])
  await pool.query('update users set second_factor_at = now()')
  expect(await linesAbout({ SECOND_FACTOR: 'all' })).toEqual([
    '✓ demanded of all: all of 2 people have one',
  ])
  expect(await linesAbout({})).toEqual([])
}, 120_000)
