/** Makes the backup before a migration. It is imported only then, because it needs all of backup. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPlace } from '#server/operate/backup/addresses.ts'
import { BackupError } from '#server/operate/backup/archive/format.ts'
import { BackupUnderWay } from '#server/operate/backup/backup.ts'
import { archiveName, openFolder, type Place } from '#server/operate/backup/places.ts'
import { takeBackup, type Taken } from '#server/operate/backup/take.ts'
import { openStorage } from '#server/platform/files/places/open-storage.ts'
import { isDiskFull } from '#server/kernel/process/disk.ts'
import { packageVersion } from '#server/kernel/version.ts'
import { FIRST, FOLDER, type Upgrading } from '#server/operate/upgrade/migrate.ts'

/** Newest archives that stay in DATA_DIR. In BACKUP_URL, BACKUP_KEEP decides. */
const STAY = 3
/** In ms: how long a running daily backup is awaited, and how often it is checked. */
const OTHER_MS = 10 * 60 * 1000
const ASK_AGAIN_MS = 500

/** @throws BackupError with a message that says what to do */
export async function backUp(upgrading: Upgrading, count: number): Promise<void> {
  const { config, log, say } = upgrading
  say(`Making a backup before ${count === 1 ? 'a migration' : `${count} migrations`} …`)
  try {
    const isOwn = config.BACKUP_URL === undefined
    const folder = join(config.DATA_DIR, FOLDER)
    const place = isOwn ? openFolder(folder) : await openPlace(config.BACKUP_URL, log)
    try {
      const { name, bytes } = await takeWhenFree(upgrading, place)
      say(`✓ ${place.label}/${name}: ${Math.ceil(bytes / 1000)} kB.`)
      if (isOwn) await removeOld(place, folder, name)
    } finally {
      place.close()
    }
  } catch (error) {
    const why = whyOf(error)
    throw new BackupError(
      `The backup that is made before the database is migrated failed. ${why} Nothing was migrated. With BACKUP_BEFORE_MIGRATION=0 it is migrated without one.`,
      { cause: error },
    )
  }
}

/** Explains a full disk, which errors of the database report in their own words. */
function whyOf(error: unknown): string {
  if (error instanceof BackupError) return error.message
  if (isDiskFull(error)) return 'The disk is full: make room on it.'
  return `${error instanceof Error ? error.message : String(error)}.`
}

/** A node of the older version may be making a backup, so this waits for its end. */
async function takeWhenFree({ config, database, log }: Upgrading, place: Place): Promise<Taken> {
  const passphrase = config.BACKUP_PASSPHRASE ?? null
  const storage = await openStorage(config, log)
  try {
    for (const end = Date.now() + OTHER_MS; ; await sleep(ASK_AGAIN_MS)) {
      try {
        return await takeBackup({
          connection: database.direct,
          storage,
          dataDir: config.DATA_DIR,
          log,
          version: packageVersion(),
          place,
          name: archiveName(new Date(), passphrase !== null),
          passphrase,
          retention: null,
          daily: false,
        })
      } catch (error) {
        if (!(error instanceof BackupUnderWay) || Date.now() > end) throw error
      }
    }
  } finally {
    storage.close()
  }
}

async function removeOld(place: Place, folder: string, name: string): Promise<void> {
  const first = await readFile(join(folder, FIRST), 'utf8').catch(() => null)
  if (first === null) await writeFile(join(folder, FIRST), name)
  const newestFirst = (await place.list()).toSorted(
    (one, other) => other.madeAt.getTime() - one.madeAt.getTime(),
  )
  for (const old of newestFirst.slice(STAY)) if (old.name !== first) await place.remove(old.name)
}
