/**
 * Verifies an archive by restoring it into a temporary database and auditing that. Files are checked against their
 * checksums, but only their sizes are recorded, so they take no space.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { audit, type AuditReport } from '#server/operate/audit/audit.ts'
import { buffersOf } from '#server/operate/backup/archive/pieces.ts'
import { dropLost } from '#server/operate/backup/lost.ts'
import {
  checkArchive,
  restoreBackup,
  type ReadArchive,
  type Restored,
  type RestoreNeeds,
} from '#server/operate/backup/restore.ts'
import { connect } from '#server/platform/db/connect.ts'
import { startEmbedded } from '#server/platform/db/embedded/embedded.ts'
import { listMigrations } from '#server/platform/db/migrate.ts'
import { createDiskStorage } from '#server/platform/files/places/disk.ts'
import type { Storage } from '#server/platform/core/storage.ts'
import type { Log } from '#server/kernel/log.ts'
import type { ClientConfig } from 'pg'

type Heard = Pick<RestoreNeeds, 'hear' | 'signal'>

/** @throws BackupError, and errors of a restore */
export async function verifyArchive(
  read: ReadArchive,
  log: Log,
  heard: Heard = {},
): Promise<{ restored: Restored; report: AuditReport }> {
  const { manifest } = await checkArchive(read, await listMigrations(), heard)
  const dataDir = await mkdtemp(join(tmpdir(), 'kb-verify-'))
  try {
    const server = await startEmbedded({ dataDir, fsync: false })
    try {
      const storage = createSizeStorage(await createDiskStorage(join(dataDir, 'files')), dataDir)
      const { connection } = server
      const needs = { connection, storage, dataDir, log, ...heard }
      const restored = await restoreBackup(needs, read, manifest)
      return { restored, report: await proveRestored(needs, restored) }
    } finally {
      await server.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Audits what was restored, before anybody uses it. */
export async function proveRestored(
  {
    connection,
    storage,
    log,
    signal,
  }: Pick<RestoreNeeds, 'storage' | 'log' | 'signal'> & { readonly connection: ClientConfig },
  { manifest }: Pick<Restored, 'manifest'>,
): Promise<AuditReport> {
  const proving = connect(connection, log, { work: 'audit', size: 1 })
  const { db } = proving
  try {
    await dropLost(db, storage, new Date(manifest.madeAt))
    return await audit({ db, storage }, { isLive: false, ...(signal && { signal }) })
  } finally {
    await proving.close()
  }
}

/** A storage that discards contents: its files have the right size and no data. */
function createSizeStorage(storage: Storage, dataDir: string): Storage {
  return {
    ...storage,
    put: async (key, content) => {
      let size = 0
      if (content instanceof Uint8Array) size = content.byteLength
      else for await (const piece of buffersOf(content)) size += piece.length
      const path = join(dataDir, 'files', key)
      const draft = join(dataDir, 'files', 'unfinished', randomUUID())
      const file = await open(draft, 'w')
      await file.truncate(size).finally(() => file.close())
      await mkdir(dirname(path), { recursive: true })
      await rename(draft, path)
    },
  }
}
