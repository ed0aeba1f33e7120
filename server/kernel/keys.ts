/** Signing keys come from AUTH_SECRETS, or are created at the first start and stored in DATA_DIR. */
import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StartFailure } from '#server/kernel/process/start-failure.ts'

/** Characters; AUTH_SECRETS requires the same minimum. */
const SHORTEST = 32

/** The first one signs; all of them verify. */
export type Secrets = readonly [string, ...string[]]

/** @throws StartFailure when the stored key is empty or too short: whoever guesses it can sign in as anybody */
export async function readSecrets(
  given: readonly string[] | undefined,
  dataDir: string,
): Promise<Secrets> {
  const [first, ...others] = given ?? []
  if (first !== undefined) return [first, ...others]
  const file = join(dataDir, 'auth-secret')
  await mkdir(dataDir, { recursive: true })
  const stored = (await readStored(file)) ?? (await makeSecret(dataDir, file))
  if (stored.length < SHORTEST)
    throw new StartFailure(
      `The signing key in ${file} is ${stored === '' ? 'empty' : `shorter than ${SHORTEST} characters`}. ` +
        'Put the one of a backup there, or remove the file: a new one is made then, everybody signs in again, and mailed links are dead.',
    )
  return [stored]
}

async function readStored(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

/**
 * Syncs the draft to the disk before it gets its name, so that a power failure leaves no partial key. Returns the
 * stored key.
 */
async function makeSecret(dataDir: string, file: string): Promise<string> {
  const draft = `${file}.new-${randomUUID()}`
  try {
    const opened = await open(draft, 'w', 0o600)
    try {
      await opened.writeFile(`${randomBytes(32).toString('base64url')}\n`)
      await opened.sync()
    } finally {
      await opened.close()
    }
    await linkOnce(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
  const folder = await open(dataDir, 'r')
  await folder.sync().finally(() => folder.close())
  return (await readStored(file)) ?? ''
}

/** When two first starts race, one wins and both read its key: with `rename` alone the later one would win. */
async function linkOnce(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file)
  } catch (error) {
    if (isCode(error, 'EEXIST')) return
    // Some file systems have no hard links.
    if (!isCode(error, 'EPERM') && !isCode(error, 'ENOTSUP') && !isCode(error, 'EOPNOTSUPP'))
      throw error
    await rename(draft, file)
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
