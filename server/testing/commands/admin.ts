/** `npm run admin`, run as an operator types it, without npm. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { TestApp } from '#server/testing/app.ts'
import { addressOf } from '#server/testing/backup/commands.ts'

const run = promisify(execFile)

/** On the database of the app; what it prints. */
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
