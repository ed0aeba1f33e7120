/** Signing keys: from AUTH_SECRETS, else made at the first start and kept in DATA_DIR. */
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export async function readSecrets(
  given: readonly string[] | undefined,
  dataDir: string,
): Promise<readonly string[]> {
  if (given !== undefined) return given
  const file = join(dataDir, 'auth-secret')
  await mkdir(dataDir, { recursive: true })
  const made = randomBytes(32).toString('base64url')
  // `wx` lets one of two first starts win; the other reads what it wrote.
  await writeFile(file, `${made}\n`, { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
  return [(await readFile(file, 'utf8')).trim()]
}
