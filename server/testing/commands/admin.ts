import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { TestApp } from '#server/testing/app.ts'
import { addressOf } from '#server/testing/backup/commands.ts'

const run = promisify(execFile)

/** Runs the script of `npm run admin` on the app's database and returns its output. */
export async function runAdmin(
  { connection }: Pick<TestApp, 'connection'>,
  words: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<{ stdout: string; stderr: string }> {
  const env = {
    ...process.env,
    DATABASE_URL: addressOf(connection),
    AUTH_SECRETS: 'x'.repeat(32),
    ...more,
  }
  return run(process.execPath, ['scripts/admin.ts', ...words], { env }).catch(
    ({ stderr }: { stderr: string }) => ({ stdout: '', stderr }),
  )
}
