/**
 * The life of a picture: stored, claimed by what shows it, released, removed. Each use has a row of its own; rows of
 * equal content share files, which go with the last row. Whoever writes or removes files does so under the lock of
 * their key, and a row stands before its files do, so that neither ever stays behind without the other.
 *
 * Every row says when it is looked at next (`look_at`): a quarter of an hour after it was stored, at once when it is
 * released, and monthly while it is shown. One that nothing shows then goes.
 */
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { PICTURE_WIDTHS, type PictureFormat } from '#contract/files.ts'
import type { Db, DbOrTx, Tx } from '#server/db/connect.ts'
import { lockIn, mayRemoveFiles } from '#server/db/locks.ts'
import { pictureFolder, pictureKey } from '#server/files/names.ts'
import type { Storage } from '#server/files/storage.ts'
import { jobKind } from '#server/jobs/job.ts'
import { addJobLater } from '#server/jobs/queue.ts'
import { unavailable } from '#server/kernel/errors.ts'

const OfPicture = z.object({ pictureId: z.number() })
export type OfPicture = z.output<typeof OfPicture>
/** Removes a released picture. */
export const LOOK_AT_PICTURE = jobKind('lookAtPicture', OfPicture)
/** Makes the AVIF forms of a claimed cover. */
export const MAKE_AVIF = jobKind('makeAvif', OfPicture)

const MONTH = sql`interval '30 days'`

/** Held until the transaction ends. */
export async function lockKey(tx: Tx, key: string): Promise<void> {
  await lockIn(tx, 'pictureFiles', key)
}

/** Whether all forms of a format lie there with something in them. */
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
  /** What was shown until now. */
  readonly before: number | null
  /** What is shown from now on; as `before` when nothing changes. */
  readonly after: number | null
  /** Whose face it is, or whose item. */
  readonly ownerId: string
  /** Covers are shown large, so that they get AVIF forms. */
  readonly as: 'face' | 'cover'
}

/**
 * Notes, in the transaction that does it, that something shows another picture. The one before goes with its files
 * within moments after the commit.
 * @throws Refusal 503 when the new one has gone meanwhile
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

/** Notes that what showed the picture is gone. */
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

/** On `p` (pictures): who shows it, as their owner's id; none when nobody does. */
const shownBy = sql`(
  select u.id as owner_id, false as cover from users u where u.picture_id = p.id
  union all select l.owner_id, true from lesson_contents c join lessons l on l.id = c.lesson_id where c.picture_id = p.id
  union all select k.owner_id, true from course_contents c join courses k on k.id = c.course_id where c.picture_id = p.id
  limit 1
)`

/** Pictures that a person uploaded and nothing shows: they are due now. Answers up to `most` of them. */
export async function findUnusedPictures(db: Db, ownerId: string, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update pictures set look_at = now() where id in (
      select p.id from pictures p where p.owner_id = ${ownerId} and not exists ${shownBy} order by p.id limit ${most}
    ) returning id`.execute(db)
  return rows.map((row) => row.id)
}

/**
 * Looks whether anything shows a picture that is due: removes it if not, with its files unless the same content is
 * somebody else's too; else notes whose it is and what it takes. Safe to repeat. `now`: however due it is. False, and
 * nothing was done, while a backup reads the files: the sweep looks again when it is through.
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
    // A claim that is not committed yet holds the row: this waits for it, and then the row is not due any more.
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

/** What an earlier version stored has no owner, no size and no AVIF. */
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
 * Stores what was made of a picture beside it; false, and nothing is stored, when the picture has gone meanwhile. `name`:
 * of a file in the picture's folder.
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

/** Removes the files of these keys that have no row. */
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

/** The key of a picture that has a row; null when it is gone. */
export async function keyOf(db: DbOrTx, pictureId: number): Promise<string | null> {
  const row = await db
    .selectFrom('pictures')
    .select('key')
    .where('id', '=', pictureId)
    .executeTakeFirst()
  return row?.key ?? null
}

/** Whether any row has this key: files without one are on their way out. */
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

/** Everything that was made of a picture. */
async function removeForms(storage: Storage, key: string): Promise<void> {
  for await (const each of storage.list(pictureFolder(key))) await storage.remove(each)
}
