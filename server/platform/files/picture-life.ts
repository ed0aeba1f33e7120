/**
 * The life cycle of a picture: stored, claimed by what shows it, released, removed. Each use has a row of its own;
 * rows with equal content share files, which are removed with the last row. Files are written and removed under
 * the lock of their key, and a row exists before its files, so neither is left without the other.
 *
 * Every row says when to check it next (`look_at`): a quarter of an hour after it was stored, at once when it is
 * released, and monthly while it is shown. A picture that nothing shows is then removed.
 */
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { PICTURE_WIDTHS, type PictureFormat } from '#contract/files.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { lockIn, mayRemoveFiles } from '#server/platform/db/locks.ts'
import { pictureFolder, pictureKey } from '#server/platform/files/names.ts'
import type { Storage } from '#server/platform/core/storage.ts'
import { jobKind } from '#server/platform/jobs/job.ts'
import { addJobLater } from '#server/platform/jobs/queue.ts'
import { unavailable } from '#server/kernel/errors.ts'

const OfPicture = z.object({ pictureId: z.number() })
export type OfPicture = z.output<typeof OfPicture>
export const LOOK_AT_PICTURE = jobKind('lookAtPicture', OfPicture)
export const MAKE_AVIF = jobKind('makeAvif', OfPicture)

const MONTH = sql`interval '30 days'`

/** Held until the transaction ends. */
export async function lockKey(tx: Tx, key: string): Promise<void> {
  await lockIn(tx, 'pictureFiles', key)
}

/** Returns true when all forms of a format exist and aren't empty. */
export async function hasForms(
  storage: Storage,
  key: string,
  format: PictureFormat = 'webp',
): Promise<boolean> {
  const sizes = await Promise.all(
    PICTURE_WIDTHS.map((width) => storage.sizeOf(pictureKey(key, width, format))),
  )
  return sizes.every((size) => size !== null && size > 0)
}

export interface Exchange {
  /** The picture shown until now. */
  readonly before: number | null
  /** The picture shown from now on; the same as `before` when nothing changes. */
  readonly after: number | null
  /** The person with this face, or the owner of the item. */
  readonly ownerId: string
  /** Covers are shown large, so they get AVIF forms. */
  readonly as: 'face' | 'cover'
}

/**
 * Records, in the transaction of the change, that something shows another picture. The previous one is removed
 * with its files soon after the commit.
 * @throws Refusal 503 when the new one was removed meanwhile
 */
export async function exchangePicture(tx: Tx, exchange: Exchange): Promise<void> {
  const { before, after, ownerId, as } = exchange
  if (before === after) return
  if (after !== null) {
    const claimed = await tx
      .updateTable('pictures')
      .set({ owner_id: ownerId, look_at: sql<Date>`now() + ${MONTH}` })
      .where('id', '=', after)
      .returning('id')
      .executeTakeFirst()
    if (claimed === undefined) throw unavailable()
    if (as === 'cover') await makeAvifLater(tx, after)
  }
  if (before !== null) await releasePicture(tx, before)
}

/** Records that whatever showed the picture is gone. */
export async function releasePicture(tx: Tx, pictureId: number): Promise<void> {
  await tx
    .updateTable('pictures')
    .set({ look_at: sql<Date>`now()` })
    .where('id', '=', pictureId)
    .execute()
  await addJobLater(tx, LOOK_AT_PICTURE, { pictureId }, { key: `picture ${pictureId}` })
}

function makeAvifLater(tx: Tx, pictureId: number): Promise<void> {
  return addJobLater(tx, MAKE_AVIF, { pictureId }, { key: `avif ${pictureId}`, yields: true })
}

/** For `p` (pictures): the owner of what shows it; no row when nothing does. */
const shownBy = sql`(
  select u.id as owner_id, false as cover from users u where u.picture_id = p.id
  union all select l.owner_id, true from lesson_contents c join lessons l on l.id = c.lesson_id where c.picture_id = p.id
  union all select k.owner_id, true from course_contents c join courses k on k.id = c.course_id where c.picture_id = p.id
  limit 1
)`

/** Marks up to `most` of a person's unused pictures as due now and returns their ids. */
export async function findUnusedPictures(db: Db, ownerId: string, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update pictures set look_at = now() where id in (
      select p.id from pictures p where p.owner_id = ${ownerId} and not exists ${shownBy} order by p.id limit ${most}
    ) returning id`.execute(db)
  return rows.map((row) => row.id)
}

/**
 * Checks a picture that is due. If nothing shows it, removes it, and its files unless other rows have the same
 * content; otherwise records its owner and size. Idempotent. `now` also checks a picture that isn't due. Returns
 * false, without any change, while a backup reads the files; the sweep tries again later.
 */
export async function lookAtPicture(
  db: Db,
  storage: Storage,
  pictureId: number,
  { now = false }: { readonly now?: boolean } = {},
): Promise<boolean> {
  const key = await keyOf(db, pictureId)
  if (key === null) return true
  return db.transaction().execute(async (tx) => {
    if (!(await mayRemoveFiles(tx))) return false
    await lockKey(tx, key)
    const isDue = now ? sql`true` : sql`p.look_at <= now()`
    // An uncommitted claim locks the row, so this waits for it, and then the row is no longer due.
    const { rows } = await sql`
      delete from pictures p where p.id = ${pictureId} and ${isDue} and not exists ${shownBy} returning p.id`.execute(
      tx,
    )
    if (rows.length === 0) {
      await adopt(tx, storage, { key, pictureId })
      return true
    }
    if (!(await isStored(tx, key))) await removeForms(storage, key)
    return true
  })
}

/** Records the owner and the size of a shown picture, and makes missing AVIF forms. */
async function adopt(
  tx: Tx,
  storage: Storage,
  { key, pictureId }: { readonly key: string; readonly pictureId: number },
): Promise<void> {
  const { rows } = await sql<{ owner: string; cover: boolean }>`
    select shown.owner_id as owner, shown.cover from pictures p, lateral ${shownBy} shown
    where p.id = ${pictureId} and p.look_at <= now()`.execute(tx)
  const shown = rows[0]
  if (shown === undefined) return
  await tx
    .updateTable('pictures')
    .set({
      look_at: sql<Date>`now() + ${MONTH}`,
      owner_id: shown.owner,
      bytes: await sizeOfForms(storage, key),
    })
    .where('id', '=', pictureId)
    .execute()
  if (shown.cover && !(await hasForms(storage, key, 'avif'))) await makeAvifLater(tx, pictureId)
}

/**
 * Stores a file derived from a picture in the picture's folder under `name`. Returns false and stores nothing when
 * the picture was removed meanwhile.
 */
export function storeDerived(
  db: Db,
  storage: Storage,
  key: string,
  derived: readonly { readonly name: string; readonly content: Uint8Array }[],
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockKey(tx, key)
    if (!(await isStored(tx, key))) return false
    for (const { name, content } of derived)
      await storage.put(`${pictureFolder(key)}${name}`, content)
    const bytes = await sizeOfForms(storage, key)
    await tx.updateTable('pictures').set({ bytes }).where('key', '=', key).execute()
    return true
  })
}

/** Removes the files of those keys that have no row. */
export async function removeStrays(
  db: Db,
  storage: Storage,
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) {
    await db.transaction().execute(async (tx) => {
      await lockKey(tx, key)
      if (!(await isStored(tx, key))) await removeForms(storage, key)
    })
  }
}

/** Returns null when the picture is gone. */
export async function keyOf(db: DbOrTx, pictureId: number): Promise<string | null> {
  const row = await db
    .selectFrom('pictures')
    .select('key')
    .where('id', '=', pictureId)
    .executeTakeFirst()
  return row?.key ?? null
}

/** Returns true when any row has this key; files without a row are about to be removed. */
export async function isStored(db: DbOrTx, key: string): Promise<boolean> {
  const row = await db
    .selectFrom('pictures')
    .select('id')
    .where('key', '=', key)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function sizeOfForms(storage: Storage, key: string): Promise<number> {
  let sum = 0
  for await (const each of storage.list(pictureFolder(key)))
    sum += (await storage.sizeOf(each)) ?? 0
  return sum
}

/** Removes everything that was made from a picture. */
async function removeForms(storage: Storage, key: string): Promise<void> {
  for await (const each of storage.list(pictureFolder(key))) await storage.remove(each)
}
