/** The job that makes the copy of a person's data, tells how far it is, and mails when it can be downloaded. */
import { Readable } from 'node:stream'
import { lockIdentity, mailAddressOf } from '#server/accounts/identity.ts'
import { mailExport } from '#server/accounts/mails/notices.ts'
import { endOf, type OfExport } from '#server/exports/exports.ts'
import { findExport, writeFailed, writeProgress, writeReady } from '#server/exports/store.ts'
import { writeZip } from '#server/exports/zip.ts'
import { exportKey } from '#server/files/names.ts'
import type { JobHandler } from '#server/jobs/job.ts'
import type { Core } from '#server/kernel/core.ts'
import { siteNames } from '#server/kernel/site.ts'

/** Milliseconds between two notes of how far it is. */
const NOTE_MS = 1000

/** It is not wanted any more: the account was erased, or the copy's time was over before it was made. */
class Unwanted extends Error {}

/** What does MAKE_EXPORT. Safe to repeat: it begins again, and the file is replaced as a whole. */
export function createExporter(
  core: Pick<Core, 'db' | 'storage' | 'clock' | 'config'>,
): JobHandler<OfExport> {
  const { db, storage, clock } = core
  return async ({ userId, id }, { signal, attempt, maxAttempts }) => {
    const key = exportKey(userId)
    try {
      const bytes = await store(core, { userId, id }, signal)
      if (!(await announce(core, { userId, id }, bytes))) throw new Unwanted()
    } catch (error) {
      if (error instanceof Unwanted) {
        // A copy that was asked for since lies under the same key.
        if ((await findExport(db, userId, clock.now())) === null) await storage.remove(key)
        return
      }
      if (attempt >= maxAttempts) await writeFailed(db, id)
      throw error
    }
  }
}

/** Writes the archive into the storage; answers its size. @throws Unwanted, and what reading and writing throw */
async function store(
  { db, storage, clock, config }: Pick<Core, 'db' | 'storage' | 'clock' | 'config'>,
  { userId, id }: OfExport,
  signal: AbortSignal,
): Promise<number> {
  if (!(await writeProgress(db, id, 0))) throw new Unwanted()
  let bytes = 0
  let notedAt = performance.now()
  const counted = async function* (): AsyncGenerator<Buffer> {
    const needs = { db, storage, names: siteNames(config), now: clock.now() }
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

/** Notes that the copy is there, and puts the mail that says so into the outbox. False when it is not wanted any more. */
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
