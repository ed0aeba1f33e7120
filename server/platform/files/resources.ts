/**
 * The resources of lessons: who uploaded which file, what it is attached to, and how much space a person has left.
 */
import { sql } from 'kysely'
import type { UploadedResource } from '#contract/files.ts'
import { RESOURCE_BYTES, UPLOAD_QUOTA_BYTES } from '#contract/limits.ts'
import { message } from '#contract/message.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { lockIn, mayRemoveFiles } from '#server/platform/db/locks.ts'
import { cleanName, resourceKey, resourceUrl } from '#server/platform/files/names.ts'
import type { Storage } from '#server/platform/core/storage.ts'
import { jobKind, NoPayload } from '#server/platform/jobs/job.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { invalidField, Refusal, tooLarge } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'

export interface Upload {
  readonly id: string
  readonly ownerId: string
  readonly name: string
  /** Bytes; the announced size until the upload is finished. */
  readonly size: number
  readonly lessonId: number | null
  readonly finished: boolean
  readonly createdAt: Date
}

/** In ms: how long an upload may exist without a lesson. */
const UNATTACHED_MS = 24 * 60 * 60 * 1000
/** Uploads that one run removes in one transaction. */
const CLEARED_AT_ONCE = 100

const ADDRESS = /^\/files\/resources\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/[^/?#]+$/
/** The path of an upload anywhere in a link, with the separators that servers and browsers accept. */
const NAMED = /[/\\]files[/\\]+resources[/\\]+([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/i
/** A URL may be escaped more than once on its way. */
const MOST_ESCAPES = 3

export function toUploadedResource(upload: Upload): UploadedResource {
  return { url: resourceUrl(upload), name: upload.name, size: upload.size }
}

export const fileMissing = () => invalidField('file', 'fileRequired')

export function fileTooLarge(): Refusal {
  const values = { megabytes: RESOURCE_BYTES / 1024 / 1024 }
  return new Refusal(413, 'fileTooLarge', {
    values,
    fields: { file: message('fileTooLarge', values) },
  })
}

/**
 * Reserves space for an upload of at most `size` bytes.
 * @throws Refusal 400 for an empty file; 413 for one that is too large, or when the person's space is used up
 */
export async function reserveUpload(
  db: Db,
  clock: Clock,
  given: { ownerId: string; name: string; size: number },
): Promise<Upload> {
  if (given.size <= 0) throw fileMissing()
  if (given.size > RESOURCE_BYTES) throw fileTooLarge()
  const upload = {
    id: newId(clock.now().getTime()),
    owner_id: given.ownerId,
    name: cleanName(given.name),
    size: given.size,
    created_at: clock.now(),
  }
  await db.transaction().execute(async (tx) => {
    await lockIn(tx, 'uploads', given.ownerId)
    const { used } = await tx
      .selectFrom('uploads')
      .select(sql<number>`coalesce(sum(size), 0)::bigint`.as('used'))
      .where('owner_id', '=', given.ownerId)
      .executeTakeFirstOrThrow()
    if (used + given.size > UPLOAD_QUOTA_BYTES) throw tooLarge('uploadQuota')
    await tx.insertInto('uploads').values(upload).execute()
  })
  return {
    id: upload.id,
    ownerId: given.ownerId,
    name: upload.name,
    size: given.size,
    lessonId: null,
    finished: false,
    createdAt: upload.created_at,
  }
}

/** Marks an upload as complete with its true size; idempotent. */
export async function finishUpload(
  db: Db,
  clock: Clock,
  upload: { id: string; size: number },
): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ finished_at: clock.now(), size: upload.size })
    .where('id', '=', upload.id)
    .where('finished_at', 'is', null)
    .execute()
}

/**
 * Deletes the row of an upload unless a lesson uses it; returns true when it existed. The caller removes the file.
 */
export async function dropUpload(db: DbOrTx, id: string): Promise<boolean> {
  const dropped = await db
    .deleteFrom('uploads')
    .where('id', '=', id)
    .where('lesson_id', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return dropped !== undefined
}

/** Returns null when the upload is unknown or was removed. */
export async function findUpload(db: DbOrTx, id: string): Promise<Upload | null> {
  const row = await db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined
    ? null
    : {
        id: row.id,
        ownerId: row.owner_id,
        name: row.name,
        size: row.size,
        lessonId: row.lesson_id,
        finished: row.finished_at !== null,
        createdAt: row.created_at,
      }
}

/**
 * Returns the id of the upload that a link names, whatever its host, case or escapes; null if it names none. The
 * ids are random, so a link to another site can't contain one by chance.
 */
export function uploadIdIn(link: string): string | null {
  let text = link
  for (let round = 0; round <= MOST_ESCAPES; round += 1) {
    const id = (NAMED.exec(text) ?? NAMED.exec(resolved(text)))?.[1]
    if (id !== undefined) return id.toLowerCase()
    text = text.replaceAll(/%([0-7][0-9a-f])/gi, (_escape, hex: string) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    )
  }
  return null
}

/** Resolves dots like a browser, as in `/files/./resources`. */
const resolved = (link: string) => (URL.canParse(link) ? new URL(link).href : link)

/** Returns the URL of the upload that a link names, however it is written; null if no such upload exists. */
export async function findNamedUpload(db: DbOrTx, link: string): Promise<string | null> {
  const id = uploadIdIn(link)
  const upload = id === null ? null : await findUpload(db, id)
  return upload === null ? null : resourceUrl(upload)
}

/**
 * Attaches the upload named by a draft to its lesson and returns the URL to store. It must be the person's own,
 * finished and unattached, or already belong to the lesson. Doesn't release what the lesson had before.
 * @throws Refusal 400 at the field `resources`
 */
export async function claimUpload(
  tx: Tx,
  claim: { ownerId: string; url: string; lessonId: number },
): Promise<string> {
  const id = ADDRESS.exec(claim.url)?.[1]
  const claimed =
    id === undefined
      ? undefined
      : await tx
          .updateTable('uploads')
          .set({ lesson_id: claim.lessonId })
          .where('id', '=', id)
          .where('finished_at', 'is not', null)
          .where((where) =>
            where.or([
              where('lesson_id', '=', claim.lessonId),
              where('owner_id', '=', claim.ownerId).and('lesson_id', 'is', null),
            ]),
          )
          .returning(['id', 'name'])
          .executeTakeFirst()
  if (claimed === undefined) throw invalidField('resources', 'uploadUnknown')
  return resourceUrl(claimed)
}

/**
 * Detaches the upload of a lesson, which is later removed like other unattached ones. To change a resource,
 * release and then claim.
 */
export async function releaseUpload(tx: Tx, lessonId: number): Promise<void> {
  await tx
    .updateTable('uploads')
    .set({ lesson_id: null })
    .where('lesson_id', '=', lessonId)
    .execute()
}

/** Makes the next run remove a person's unattached uploads, regardless of their age. */
export async function hastenClearing(db: DbOrTx, ownerId: string): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ created_at: new Date(0) })
    .where('owner_id', '=', ownerId)
    .where('lesson_id', 'is', null)
    .execute()
}

export const CLEAR_UNATTACHED = jobKind('clearUnattached', NoPayload)

/**
 * Deletes finished and unfinished uploads that are older than 24 hours and that no lesson and no draft of their owner
 * uses. Returns their number.
 */
export async function clearUnattached(db: Db, storage: Storage, clock: Clock): Promise<number> {
  const before = new Date(clock.now().getTime() - UNATTACHED_MS)
  let cleared = 0
  for (;;) {
    const count = await clearSome(db, storage, before)
    cleared += count
    if (count < CLEARED_AT_ONCE) return cleared
  }
}

/** Removes rows and files in one transaction: a claim waits for it, and after a crash it is repeated. */
function clearSome(db: Db, storage: Storage, before: Date): Promise<number> {
  return db.transaction().execute(async (tx) => {
    if (!(await mayRemoveFiles(tx))) return 0
    const old = tx
      .selectFrom('uploads')
      .select('id')
      .where('lesson_id', 'is', null)
      .where('created_at', '<', before)
      .where(
        sql<boolean>`not exists (
          select from item_drafts d where d.user_id = uploads.owner_id and uploads.id = any(d.files))`,
      )
      .limit(CLEARED_AT_ONCE)
      .forUpdate()
      .skipLocked()
    const rows = await tx.deleteFrom('uploads').where('id', 'in', old).returning('id').execute()
    for (const { id } of rows) await storage.remove(resourceKey(id))
    return rows.length
  })
}
