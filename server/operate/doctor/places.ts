import { access, constants, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { note, ok, reasonOf, wrong, type Finding } from '#server/operate/doctor/finding.ts'
import { createDiskStorage } from '#server/platform/files/places/disk.ts'
import { tryOut } from '#server/platform/core/storage.ts'
import type { Config } from '#server/kernel/config.ts'
import { readSecrets } from '#server/kernel/keys.ts'
import { createLog } from '#server/kernel/log.ts'
import { checkDisk } from '#server/kernel/process/disk.ts'
import { sentenceOf } from '#server/kernel/process/start-failure.ts'

/** Minimum share of a disk that should be free. */
const FREE_SHARE = 0.1
const GB = 1024 ** 3
const OTHERS_MAY_WRITE = 0o002
const OTHERS_MAY_READ = 0o077

type Places = Pick<Config, 'DATA_DIR' | 'AUTH_SECRETS' | 'S3_URL' | 'FILES_IN'>

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Checks the disk of DATA_DIR and who may write there. */
export async function examineFolders({ DATA_DIR }: Places): Promise<Finding[]> {
  if (!(await isThere(DATA_DIR)))
    return [note('DATA_DIR', `${DATA_DIR} is not there yet: the first start makes it.`)]
  return [await examineDisk(DATA_DIR), await examineRights(DATA_DIR)]
}

async function examineDisk(folder: string): Promise<Finding> {
  try {
    await checkDisk(folder)
  } catch (error) {
    return wrong(
      'disk',
      `The disk of DATA_DIR (${folder}) ${reasonOf(error)}. Free some space, give the folder to the user that runs the server, or set DATA_DIR to another one.`,
    )
  }
  const { bsize, bavail, blocks } = await statfs(folder)
  const free = `${((bavail * bsize) / GB).toFixed(1)} of ${((blocks * bsize) / GB).toFixed(1)} GB are free`
  return bavail < blocks * FREE_SHARE
    ? note('disk', `Only ${free} on the disk of DATA_DIR. Make room before it is full.`)
    : ok('disk', `${free} where DATA_DIR (${folder}) is`)
}

async function examineRights(folder: string): Promise<Finding> {
  const { mode } = await stat(folder)
  if ((mode & OTHERS_MAY_WRITE) !== 0)
    return wrong(
      'folders',
      `Every user of this machine may write in ${folder}: chmod o-w ${folder}`,
    )
  for (const path of [
    folder,
    ...['files', 'files/pictures', 'files/resources', 'files/unfinished', 'forms'].map((each) =>
      join(folder, each),
    ),
  ]) {
    if (!(await isThere(path))) continue
    try {
      await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
    } catch {
      return wrong(
        'folders',
        `This user may not read and write in ${path}. Give it to the user that runs the server: chown -R USER ${folder}`,
      )
    }
  }
  return ok('folders', 'what lies in DATA_DIR can be read and written')
}

/** Checks the signing keys without printing anything about the keys themselves. */
export async function examineKeys({ AUTH_SECRETS, DATA_DIR }: Places): Promise<Finding> {
  if (AUTH_SECRETS !== undefined) {
    const others = AUTH_SECRETS.length - 1
    return ok(
      'AUTH_SECRETS',
      others === 0 ? 'one key' : `the first key signs, ${others} more verify`,
    )
  }
  const file = join(DATA_DIR, 'auth-secret')
  if (!(await isThere(file)))
    return note('AUTH_SECRETS', `no key yet: the first start makes ${file}.`)
  try {
    await readSecrets(undefined, DATA_DIR)
  } catch (error) {
    return wrong('AUTH_SECRETS', sentenceOf(error) ?? reasonOf(error))
  }
  const { mode } = await stat(file)
  return (mode & OTHERS_MAY_READ) === 0
    ? ok('AUTH_SECRETS', `the key in ${file}`)
    : wrong('AUTH_SECRETS', `Others on this machine may read the signing key: chmod 600 ${file}`)
}

/** Writes, reads, lists and deletes a small file where pictures and resources are stored. */
export async function examineFiles({ DATA_DIR, S3_URL, FILES_IN }: Places): Promise<Finding[]> {
  const found: Finding[] = []
  if (S3_URL !== undefined) {
    // Loaded on demand, because the S3 client is large.
    const { examineBucket } = await import('#server/platform/files/s3/start.ts')
    const says = await examineBucket(S3_URL, createLog('silent'))
    found.push(
      says === null
        ? ok('S3_URL', 'the bucket can be listed, written, read and cleared')
        : wrong('S3_URL', says.replace(/^S3_URL: /, '')),
    )
    if (FILES_IN !== 'disk') return found
  }
  const folder = join(DATA_DIR, 'files')
  if (!(await isThere(folder)))
    return [...found, note('files', `${folder} is not there yet: the first start makes it.`)]
  try {
    await tryOut(await createDiskStorage(folder))
    return [...found, ok('files', `${folder} can be written, read and cleared`)]
  } catch (error) {
    return [...found, wrong('files', sentenceOf(error) ?? `${folder}: ${reasonOf(error)}`)]
  }
}
