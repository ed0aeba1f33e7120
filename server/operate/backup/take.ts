/** Makes a backup, stores it, records the result, and removes expired ones. */
import { Readable } from 'node:stream'
import { encrypt } from '#server/operate/backup/archive/encryption.ts'
import { buffersOf } from '#server/operate/backup/archive/pieces.ts'
import { makeBackup, type BackupNeeds, type Made } from '#server/operate/backup/backup.ts'
import { archiveName, type Place } from '#server/operate/backup/places.ts'
import { findExpired, type Retention } from '#server/operate/backup/retention.ts'
import { beginRun, endRun } from '#server/operate/backup/store.ts'
import { readTime } from '#server/platform/db/clock.ts'
import { connect } from '#server/platform/db/connect.ts'

export interface Taking extends BackupNeeds {
  readonly place: Place
  /** Named by the time by default. */
  readonly name?: string
  /** Null for no encryption. */
  readonly passphrase: string | null
  /** Which of the existing backups stay; null for all. */
  readonly retention: Retention | null
  /** Requested by the daily job. */
  readonly daily: boolean
}

export interface Taken extends Made {
  readonly name: string
  /** Size of the archive. */
  readonly bytes: number
  /** Names of removed backups. */
  readonly removed: readonly string[]
}

/** Makes, stores and records a backup. @throws errors of makeBackup and of the place, which are recorded too */
export async function takeBackup(taking: Taking): Promise<Taken> {
  const { connection, log, place, passphrase, daily, retention } = taking
  const { name = archiveName(new Date(), passphrase !== null) } = taking
  const noting = connect(connection, log, { size: 1 })
  const { db } = noting
  let run: number | null = null
  let bytes = 0
  const counted = async function* (archive: Readable): AsyncGenerator<Buffer> {
    for await (const piece of buffersOf(archive)) {
      bytes += piece.length
      yield piece
    }
  }
  try {
    const begun = async () => {
      run = await beginRun(db, { daily, place: place.label, name }, await readTime(noting.pool))
    }
    const made = await makeBackup({ ...taking, begun }, async (plain) => {
      const archive = passphrase === null ? plain : await encrypt(plain, passphrase)
      await place.write(name, Readable.from(counted(archive), { objectMode: false }))
    })
    const removed = retention === null ? [] : await removeExpired(place, retention)
    if (run !== null) await endRun(db, run, { bytes }, await readTime(noting.pool))
    return { ...made, name, bytes, removed }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    // The database itself may be unavailable.
    if (run !== null)
      await readTime(noting.pool)
        .then((now) => endRun(db, Number(run), { error: why }, now))
        .catch(() => undefined)
    throw error
  } finally {
    await noting.close()
  }
}

async function removeExpired(place: Place, retention: Retention): Promise<string[]> {
  const expired = findExpired(await place.list(), retention)
  for (const { name } of expired) await place.remove(name)
  return expired.map(({ name }) => name)
}
