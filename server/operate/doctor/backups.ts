import { access, constants } from 'node:fs/promises'
import { backupFolders, findDeadDrafts } from '#server/operate/backup/archive/drafts.ts'
import { backupTrouble, findBackupState } from '#server/operate/backup/watch.ts'
import { note, ok, wrong, type Finding } from '#server/operate/doctor/finding.ts'
import type { DbOrTx } from '#server/platform/db/connect.ts'
import type { Config } from '#server/kernel/config.ts'
import { createLog } from '#server/kernel/log.ts'

type Settings = Pick<Config, 'BACKUP_URL' | 'DATA_DIR'>

/** Checks a bucket in BACKUP_URL like the start checks that of S3_URL, and a folder for write access. */
export async function examineBackups(config: Settings): Promise<Finding[]> {
  const place = await examinePlace(config)
  const left = (await Promise.all(backupFolders(config).map(findDeadDrafts))).flat()
  return [
    ...(place === null ? [] : [place]),
    ...left.map((path) =>
      note('backups', `${path} is what a killed backup left, with keys in it. Remove it.`),
    ),
  ]
}

async function examinePlace({ BACKUP_URL }: Settings): Promise<Finding | null> {
  if (BACKUP_URL === undefined) return null
  const part = 'BACKUP_URL'
  if ('folder' in BACKUP_URL) {
    const { folder } = BACKUP_URL
    try {
      await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
      return ok(part, `${folder} can be read and written`)
    } catch (error) {
      const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
      return isAbsent
        ? note(part, `${folder} is not there yet: the first backup makes it.`)
        : wrong(part, `This user may not read and write in ${folder}.`)
    }
  }
  const { examineBucket } = await import('#server/platform/files/s3/start.ts')
  const says = await examineBucket(BACKUP_URL.bucket, createLog('silent'))
  return says === null
    ? ok(part, 'the bucket can be listed, written, read and cleared')
    : wrong(part, says.replace(/^S3_URL: /, '').replaceAll('S3_URL', part))
}

const HOUR_MS = 3_600_000

/** Reports the last backups. `now` is the database's time. */
export async function examineBackupRuns(
  db: DbOrTx,
  config: Pick<Config, 'BACKUP_URL' | 'BACKUPS'>,
  now: Date,
): Promise<Finding | null> {
  const state = await findBackupState(db, config, now)
  const trouble = backupTrouble(state)
  if (trouble !== null) {
    const says =
      typeof state?.error === 'string' ? `${trouble}. It was: ${state.error}` : `${trouble}.`
    // A site that never had backups works.
    return state?.isConfigured === true ? wrong('backups', says) : note('backups', says)
  }
  if (state === null || state.ageMs === null) return null
  return ok('backups', `the last one was made ${Math.round(state.ageMs / HOUR_MS)} hours ago`)
}
