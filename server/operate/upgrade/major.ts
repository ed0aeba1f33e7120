/**
 * Moves the embedded database of an older major version of PostgreSQL to ours: starts the old server once more,
 * copies everything through a backup into a new folder, audits the result, and only then renames the folders. The
 * old one stays, and a failure or an interruption changes nothing.
 */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  statSync,
} from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { BackupError } from '#server/operate/backup/archive/format.ts'
import { makeBackup } from '#server/operate/backup/backup.ts'
import { openFolder, readArchiveFile } from '#server/operate/backup/places.ts'
import { checkArchive, restoreBackup } from '#server/operate/backup/restore.ts'
import { clusterMajor } from '#server/platform/db/embedded/cluster.ts'
import { startEmbedded, type EmbeddedServer } from '#server/platform/db/embedded/embedded.ts'
import { EmbeddedFailure } from '#server/platform/db/embedded/failure.ts'
import { withStartLock } from '#server/platform/db/embedded/lock.ts'
import { findPackage } from '#server/platform/db/embedded/package.ts'
import { listMigrations } from '#server/platform/db/migrate.ts'
import type { Storage } from '#server/platform/core/storage.ts'
import type { Log } from '#server/kernel/log.ts'
import { isDiskFull } from '#server/kernel/process/disk.ts'
import { packageVersion } from '#server/kernel/version.ts'
import { dropOlderPostgres, findOlderPostgres } from '#server/operate/upgrade/older-postgres.ts'
import { proveMoved } from '#server/operate/upgrade/prove.ts'

/** Below DATA_DIR: everything that is created on the way. */
const WORK = 'postgres-upgrade'
/** The complete new folder, which exists before the old one is renamed. */
const READY = 'postgres.upgraded'
const ARCHIVE = 'database.tar'
const LOCK = 'upgrading.lock'

export interface Moving {
  readonly dataDir: string
  readonly log: Log
  /** Prints a line for the operator. */
  readonly say: (line: string) => void
}

/**
 * Moves the database below `dataDir` to our major version if an older one wrote it, and migrates it to this
 * version. Does nothing without one, or for one of ours; the start refuses one of a newer major version.
 * @throws EmbeddedFailure with a message that says what to do; nothing was changed
 */
export async function moveToOurMajor(moving: Moving): Promise<void> {
  if (!existsSync(moving.dataDir)) return
  const dataDir = realpathSync(moving.dataDir)
  const cluster = join(dataDir, 'postgres')
  const isCutOff = existsSync(join(dataDir, READY)) || existsSync(join(dataDir, WORK))
  const { major } = findPackage()
  const before = clusterMajor(cluster)
  if (!isCutOff && (before === undefined || before >= major)) return
  const work = join(dataDir, WORK)
  await withStartLock(
    dataDir,
    async () => {
      await finishSwap(dataDir, cluster)
      const theirs = clusterMajor(cluster)
      try {
        if (theirs !== undefined && theirs < major)
          await move({ ...moving, dataDir }, theirs, major)
      } finally {
        await rm(work, { recursive: true, force: true, maxRetries: 20 })
      }
    },
    LOCK,
  )
}

/**
 * A kill between the two renames leaves no `postgres`. If it exists, it may have been written to since, so the
 * prepared folder is useless.
 */
async function finishSwap(dataDir: string, cluster: string): Promise<void> {
  const ready = join(dataDir, READY)
  if (!existsSync(ready)) return
  if (existsSync(cluster)) await rm(ready, { recursive: true, force: true })
  else {
    renameSync(ready, cluster)
    await flush(dataDir)
  }
}

async function move({ dataDir, log, say }: Moving, theirs: number, ours: number): Promise<void> {
  const fresh = join(dataDir, WORK, 'new')
  say(`Moving the database from PostgreSQL ${theirs} to ${ours} …`)
  // Removes what an interrupted move has left.
  await rm(fresh, { recursive: true, force: true, maxRetries: 20 })
  await rm(join(dataDir, WORK, ARCHIVE), { force: true })
  try {
    const postgres = await findOlderPostgres(theirs, dataDir, say)
    const hear = (line: string) => log.debug({ line }, 'database')
    const from = await startEmbedded({ dataDir, postgres, log: hear })
    try {
      if (!from.owned)
        throw new EmbeddedFailure(
          `DATA_DIR (${dataDir}) is in use by process ${from.owner}. Stop it first.`,
        )
      makeFolderLike(dataDir, fresh)
      await fill(from, fresh, { dataDir, log, say }).catch(async (error: unknown) => {
        // On a full disk the old server needs space to shut down cleanly.
        await rm(fresh, { recursive: true, force: true, maxRetries: 20 })
        await rm(join(dataDir, WORK, ARCHIVE), { force: true })
        throw error
      })
    } finally {
      await from.stop()
    }
    const left = await swap(dataDir, fresh, theirs)
    await dropOlderPostgres(postgres, dataDir)
    say(
      `✓ The database is one of PostgreSQL ${ours} now. The old one stays as ${left}: remove it when all is well.`,
    )
  } catch (error) {
    throw explain(error, dataDir, theirs, ours)
  }
}

/** Copies everything from the old server into a new one in `fresh`. @throws errors of backup, restore and audit */
async function fill(
  from: EmbeddedServer,
  fresh: string,
  { dataDir, log, say }: Moving,
): Promise<void> {
  const work = join(dataDir, WORK)
  const hear = (line: string) => log.debug({ line }, 'database')
  const to = await startEmbedded({ dataDir: fresh, log: hear })
  try {
    const needs = { storage: NO_FILES, dataDir: fresh, log }
    const version = packageVersion()
    const { rows } = await makeBackup(
      { ...needs, connection: from.connection, version },
      (archive) => openFolder(work).write(ARCHIVE, archive),
    )
    const read = () => readArchiveFile(join(work, ARCHIVE))
    const { manifest } = await checkArchive(read, await listMigrations())
    const { migrated } = await restoreBackup(
      { ...needs, connection: to.connection },
      read,
      manifest,
    )
    await proveMoved(from.connection, to.connection, { log, say })
    say(`  Copied and proved ${rows} rows.`)
    if (migrated > 0) say(`  Migrated the database: ${migrated} new.`)
  } finally {
    await to.stop()
  }
}

/** Renames the folders; returns the path of the old one. */
async function swap(dataDir: string, fresh: string, theirs: number): Promise<string> {
  const cluster = join(dataDir, 'postgres')
  const ready = join(dataDir, READY)
  renameSync(join(fresh, 'postgres'), ready)
  await flush(dataDir)
  const name = join(dataDir, `postgres-${theirs}-before-upgrade`)
  let left = name
  for (let count = 2; existsSync(left); count += 1) left = `${name}-${count}`
  renameSync(cluster, left)
  renameSync(ready, cluster)
  await flush(dataDir)
  return left
}

/** Syncs the folder, so that renames are on the disk before anything relies on them. */
async function flush(folder: string): Promise<void> {
  const opened = await open(folder, 'r')
  await opened.sync().finally(() => opened.close())
}

/** The owner of the folder decides which user runs the server. */
function makeFolderLike(dataDir: string, fresh: string): void {
  const { uid, gid, mode } = statSync(dataDir)
  mkdirSync(fresh, { recursive: true })
  for (const folder of [join(dataDir, WORK), fresh]) {
    chmodSync(folder, mode & 0o777)
    if (process.getuid?.() === 0) chownSync(folder, uid, gid)
  }
}

function explain(error: unknown, dataDir: string, theirs: number, ours: number): EmbeddedFailure {
  const what = `The database in ${join(dataDir, 'postgres')} could not be moved from PostgreSQL ${theirs} to ${ours}.`
  const stays = 'It is as it was.'
  if (isDiskFull(error) || (error instanceof Error && isDiskFull(error.cause)))
    return new EmbeddedFailure(
      `${what} The disk is full: for a moment it needs room for the database twice. Make room, then start again. ${stays}`,
      { cause: error },
    )
  const isSentence = error instanceof EmbeddedFailure || error instanceof BackupError
  const why = error instanceof Error ? error.message : String(error)
  return new EmbeddedFailure(`${what} ${why}${isSentence ? '' : '.'} ${stays}`, { cause: error })
}

/** Only the database moves; files stay where they are. */
const NO_FILES: Storage = {
  place: 'files-disk',
  put: () => Promise.resolve(),
  open: () => Promise.resolve(null),
  remove: () => Promise.resolve(),
  sizeOf: () => Promise.resolve(null),
  hashOf: () => Promise.resolve(null),
  list: () => Readable.from([]),
  link: () => Promise.resolve(null),
  check: () => Promise.resolve(),
  sweep: () => Promise.resolve(),
  resumable: () => {
    throw new Error('nothing is uploaded here')
  },
  close: () => {},
}
