/**
 * Generates the copy of a person's data in a job, reports progress, and sends a mail when it can be downloaded.
 */
import { Readable } from 'node:stream'
import { lockIdentity, mailAddressOf } from '#server/people/accounts/identity.ts'
import { mailExport } from '#server/people/accounts/mails/notices.ts'
import { endOf, type OfExport } from '#server/operate/exports/exports.ts'
import {
  findExport,
  writeFailed,
  writeProgress,
  writeReady,
} from '#server/operate/exports/store.ts'
import { writeZip } from '#server/operate/exports/zip.ts'
import { exportKey } from '#server/platform/files/names.ts'
import type { JobHandler } from '#server/platform/jobs/job.ts'
import type { Core } from '#server/platform/core/core.ts'

/** Interval of progress reports in ms. */
const NOTE_MS = 1000

/** The account was erased, or the copy expired before it was finished. */
class Unwanted extends Error {}

/** Runs MAKE_EXPORT. Idempotent: it starts again and replaces the whole file. */
export function createExporter(
  core: Pick<Core, 'db' | 'storage' | 'clock' | 'settings'>,
): JobHandler<OfExport> {
  const { db, storage, clock } = core
  return async ({ userId, id }, { signal, attempt, maxAttempts }) => {
    const key = exportKey(userId)
    try {
      const bytes = await store(core, { userId, id }, signal)
      if (!(await announce(core, { userId, id }, bytes))) throw new Unwanted()
    } catch (error) {
      if (error instanceof Unwanted) {
        // A newer copy would use the same key.
        if ((await findExport(db, userId, clock.now())) === null) await storage.remove(key)
        return
      }
      if (attempt >= maxAttempts) await writeFailed(db, id)
      throw error
    }
  }
}

/** Writes the archive to the storage and returns its size. @throws Unwanted, and errors of reading and writing */
async function store(
  { db, storage, clock, settings }: Pick<Core, 'db' | 'storage' | 'clock' | 'settings'>,
  { userId, id }: OfExport,
  signal: AbortSignal,
): Promise<number> {
  if (!(await writeProgress(db, id, 0))) throw new Unwanted()
  let bytes = 0
  let notedAt = performance.now()
  const counted = async function* (): AsyncGenerator<Buffer> {
    const needs = { db, storage, names: settings.current.names, now: clock.now() }
    for await (const piece of writeZip(needs, userId)) {
      signal.throwIfAborted()
      bytes += piece.length
      yield piece
      if (performance.now() - notedAt < NOTE_MS) continue
      notedAt = performance.now()
      if (!(await writeProgress(db, id, bytes))) throw new Unwanted()
    }
  }
  await storage.put(exportKey(userId), Readable.from(counted(), { objectMode: false }))
  return bytes
}

/** Marks the copy as ready and queues the mail about it. Returns false if the copy is no longer wanted. */
async function announce(
  { db, clock }: Pick<Core, 'db' | 'clock'>,
  { userId, id }: OfExport,
  bytes: number,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const now = clock.now()
    const person = await lockIdentity(tx, userId)
    if (person === null) return false
    if (!(await writeReady(tx, id, { bytes, now, endsAt: endOf(now) }))) return false
    await mailExport(tx, { userId, person, address: mailAddressOf(person) }, now)
    return true
  })
}
