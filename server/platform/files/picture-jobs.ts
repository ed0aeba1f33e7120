/** Background jobs for pictures: removing those that nothing shows, and making AVIF forms. */
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { PICTURE_WIDTHS } from '#contract/files.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { decode } from '#server/platform/files/decoding.ts'
import { pictureKey } from '#server/platform/files/names.ts'
import {
  hasForms,
  storeDerived,
  keyOf,
  lookAtPicture,
  removeStrays,
  type OfPicture,
} from '#server/platform/files/picture-life.ts'
import type { Storage } from '#server/platform/core/storage.ts'
import { jobKind, NoPayload, type JobHandler } from '#server/platform/jobs/job.ts'
import type { Clock } from '#server/kernel/clock.ts'

export const SWEEP_PICTURES = jobKind('sweepPictures', NoPayload)

/** Pictures per run of the sweep; released ones don't wait for it. */
const MOST_AT_ONCE = 500
/**
 * Each minute the sweep looks for stray files in one of these groups: the keys with the same first two hex digits.
 */
const DRAWERS = 256
const LARGEST = Math.max(...PICTURE_WIDTHS)

export function createPictureLook(db: Db, storage: Storage): JobHandler<OfPicture> {
  return ({ pictureId }) => lookAtPicture(db, storage, pictureId)
}

/** Makes the AVIF forms of a picture from its largest stored form; does nothing if the picture is gone. */
export function createAvifMaker(db: Db, storage: Storage): JobHandler<OfPicture> {
  return async ({ pictureId }) => {
    const key = await keyOf(db, pictureId)
    if (key === null || (await hasForms(storage, key, 'avif'))) return
    const source = await storage.open(pictureKey(key, LARGEST))
    const largest = source === null ? null : await buffer(source.stream)
    if (largest === null || largest.length === 0) return
    const forms = await decode('avif', async () => largest, 'jobs')
    const derived = forms.map(({ width, content }) => ({ name: `${width}.avif`, content }))
    await storeDerived(db, storage, key, derived)
  }
}

/**
 * Checks the pictures that are due, and looks for files without a row in one group of 256, another each minute.
 * Failures are retried ten minutes later and reported at the end.
 */
export async function sweepPictures(db: Db, storage: Storage, clock: Clock): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from pictures where look_at <= now() order by look_at limit ${MOST_AT_ONCE}`.execute(
    db,
  )
  const failures: unknown[] = []
  for (const { id } of rows) {
    await lookAtPicture(db, storage, id).catch(async (error: unknown) => {
      failures.push(error)
      await postpone(db, id)
    })
  }
  const drawer = Math.floor(clock.now().getTime() / 60_000) % DRAWERS
  await sweepDrawer(db, storage, drawer.toString(16).padStart(2, '0'))
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} pictures were not looked at`)
}

async function postpone(db: Db, pictureId: number): Promise<void> {
  await db
    .updateTable('pictures')
    .set({ look_at: sql<Date>`now() + interval '10 minutes'` })
    .where('id', '=', pictureId)
    .execute()
}

/** `start` is the prefix of the keys. */
export async function sweepDrawer(db: Db, storage: Storage, start: string): Promise<void> {
  const found = new Set<string>()
  for await (const file of storage.list(`pictures/${start}`)) found.add(file.split('/')[1] ?? '')
  const keys = [...found]
  const { rows } = await sql<{ key: string }>`
    select distinct key from pictures where key = any(${keys}::text[])`.execute(db)
  const known = new Set(rows.map((row) => row.key))
  await removeStrays(
    db,
    storage,
    keys.filter((key) => !known.has(key)),
  )
}
