import { exportUrl, type DataExport } from '#contract/exports.ts'
import { DIRECT_EXPORT_BYTES, EXPORT_DAYS } from '#contract/limits.ts'
import * as z from 'zod/mini'
import type { Db } from '#server/platform/db/connect.ts'
import {
  deleteExports,
  estimateBytes,
  findExport,
  lockEnded,
  writeAsked,
  type StoredExport,
} from '#server/operate/exports/store.ts'
import { exportKey } from '#server/platform/files/names.ts'
import { jobKind, NoPayload } from '#server/platform/jobs/job.ts'
import { addJobLater } from '#server/platform/jobs/queue.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Core } from '#server/platform/core/core.ts'
import { conflict, unavailable } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'

const OfExport = z.object({ userId: z.string(), id: z.string() })
export type OfExport = z.output<typeof OfExport>
/** Generates the copy of a person's data. */
export const MAKE_EXPORT = jobKind('makeExport', OfExport)
/** Runs every minute. */
export const CLEAR_EXPORTS = jobKind('clearExports', NoPayload)

const DAY_MS = 24 * 60 * 60 * 1000
/** A new copy can be requested after this time. */
const NEW_AFTER_MS = DAY_MS
/** Attempts of the job, with growing delays, within about 15 minutes. */
const ATTEMPTS = 6
/** Retry-After in seconds if there is no room. */
const FULL_SECONDS = 60 * 60
/** Copies deleted per run. */
const CLEARED_AT_ONCE = 100

/** Returns the expiry of a copy that is finished now. */
export const endOf = (now: Date): Date => new Date(now.getTime() + EXPORT_DAYS * DAY_MS)

/** Returns the state of a person's copy. */
export async function showExport(db: Db, userId: string, now: Date): Promise<DataExport> {
  const [stored, expected] = await Promise.all([
    findExport(db, userId, now),
    estimateBytes(db, userId),
  ])
  if (stored !== null) return toDataExport(stored, now)
  const isDirect = expected <= DIRECT_EXPORT_BYTES
  return {
    state: isDirect ? 'direct' : 'none',
    url: isDirect ? exportUrl('now') : null,
    expected,
    bytes: 0,
    askedAt: null,
    readyAt: null,
    endsAt: null,
    renewable: !isDirect,
  }
}

/**
 * Requests a copy of a person's data, which a job generates. Returns the existing copy while it is being generated
 * and for a day afterwards.
 * @throws Refusal 409 for a small account, whose copy is generated while it is downloaded; 503 when there is no
 * room for another
 */
export async function requestExport(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  userId: string,
): Promise<DataExport> {
  const now = clock.now()
  const current = await showExport(db, userId, now)
  if (current.state === 'direct') throw conflict('exportDirect')
  if (!current.renewable) return current
  const expected = await estimateBytes(db, userId)
  const id = newId(now.getTime())
  await db.transaction().execute(async (tx) => {
    const asked = { userId, id, expected, now, endsAt: endOf(now) }
    if (!(await writeAsked(tx, asked))) throw unavailable(FULL_SECONDS)
    const key = `export ${userId}`
    await addJobLater(tx, MAKE_EXPORT, { userId, id }, { key, attempts: ATTEMPTS })
  })
  return showExport(db, userId, now)
}

/** Deletes expired copies and their files. Repeatable after a crash. */
export async function clearExports({
  db,
  storage,
  clock,
}: Pick<Core, 'db' | 'storage' | 'clock'>): Promise<void> {
  for (let count = CLEARED_AT_ONCE; count === CLEARED_AT_ONCE;) {
    count = await db.transaction().execute(async (tx) => {
      const ended = await lockEnded(tx, clock.now(), CLEARED_AT_ONCE)
      for (const userId of ended) await storage.remove(exportKey(userId))
      if (ended.length > 0) await deleteExports(tx, ended)
      return ended.length
    })
  }
}

/** Returns true if the person may request a new copy after this one was finished or has failed. */
function isRenewable({ state, readyAt }: StoredExport, now: Date): boolean {
  if (state === 'failed') return true
  return readyAt !== null && now.getTime() - readyAt.getTime() >= NEW_AFTER_MS
}

function toDataExport(stored: StoredExport, now: Date): DataExport {
  const { id, state, expected, bytes, askedAt, readyAt, endsAt } = stored
  return {
    state,
    url: state === 'ready' ? exportUrl(id) : null,
    expected,
    bytes,
    askedAt: askedAt.toISOString(),
    readyAt: readyAt?.toISOString() ?? null,
    endsAt: endsAt.toISOString(),
    renewable: isRenewable(stored, now),
  }
}
