/** SQL of the checks of lessons' videos. */
import { sql } from 'kysely'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { isReadable } from '#server/items/shared/entitlement.ts'

export interface DueVideo {
  readonly lessonId: number
  readonly videoId: string
}

/** Adds the newest lessons that have no row, because a server of an older version published them. */
export async function addMissingChecks(db: DbOrTx, now: Date): Promise<void> {
  await sql`
    insert into video_checks (lesson_id, due_at)
    select l.id, ${now}::timestamptz from lessons l
    where l.id > (select coalesce(max(id), 0) from lessons) - 1000 and l.deleted_at is null
      and not exists (select from video_checks v where v.lesson_id = l.id)
    on conflict do nothing`.execute(db)
}

/**
 * Takes the video that has waited longest, and puts it off until `next`, so that a process that dies, or another
 * one, doesn't ask about it again at once. Returns null if none is due.
 */
export async function takeDueVideo(db: DbOrTx, now: Date, next: Date): Promise<DueVideo | null> {
  const { rows } = await sql<DueVideo>`
    update video_checks v set due_at = ${next} from lesson_contents c
    where c.lesson_id = v.lesson_id and v.lesson_id = (
      select due.lesson_id from video_checks due join lessons l on l.id = due.lesson_id and ${isReadable('l')}
      where due.due_at <= ${now} order by due.due_at limit 1 for update of due skip locked
    )
    returning v.lesson_id as "lessonId", c.video_id as "videoId"`.execute(db)
  return rows[0] ?? null
}

export interface LockedCheck {
  readonly ownerId: string
  readonly videoId: string
  readonly failedAt: Date | null
  readonly goneAt: Date | null
}

/** Locks a lesson, so that nobody buys, returns or edits it meanwhile. Returns null if it is gone. */
export async function lockCheck(tx: Tx, lessonId: number): Promise<LockedCheck | null> {
  const { rows } = await sql<LockedCheck>`
    select l.owner_id as "ownerId", c.video_id as "videoId", v.failed_at as "failedAt", v.gone_at as "goneAt"
    from lessons l
    join lesson_contents c on c.lesson_id = l.id
    join video_checks v on v.lesson_id = l.id
    where l.id = ${lessonId} and ${isReadable('l')} for no key update of l, v`.execute(tx)
  return rows[0] ?? null
}

interface CheckResult {
  readonly dueAt: Date
  readonly failedAt: Date | null
  readonly goneAt: Date | null
}

export async function storeCheck(
  db: DbOrTx,
  lessonId: number,
  { dueAt, failedAt, goneAt }: CheckResult,
): Promise<void> {
  await db
    .updateTable('video_checks')
    .set({ due_at: dueAt, failed_at: failedAt, gone_at: goneAt })
    .where('lesson_id', '=', lessonId)
    .execute()
}

/** Makes the video of an existing lesson due at once, as if it had never been checked. */
export function renewCheck(db: DbOrTx, lessonId: number, now: Date): Promise<void> {
  return storeCheck(db, lessonId, { dueAt: now, failedAt: null, goneAt: null })
}

/** Counts the lessons that are marked since `since`, or will be if the next check confirms the last one. */
export async function countMissing(
  db: DbOrTx,
  since: Date,
): Promise<{ missing: number; lessons: number }> {
  const { rows } = await sql<{ missing: number; lessons: number }>`
    select (
      select count(*) from video_checks v join lessons l on l.id = v.lesson_id and ${isReadable('l')}
      where v.failed_at is not null and (v.gone_at is null or v.gone_at > ${since})
    ) as missing, (select count(*) from lessons l where ${isReadable('l')}) as lessons`.execute(db)
  return rows[0] ?? { missing: 0, lessons: 0 }
}

/** Removes all marks. Returns the lessons that had one. */
export async function clearChecks(db: DbOrTx): Promise<number[]> {
  const { rows } = await sql<{ id: number; marked: boolean }>`
    with before as (
      select lesson_id, gone_at is not null as marked from video_checks where failed_at is not null
    )
    update video_checks v set failed_at = null, gone_at = null from before
    where v.lesson_id = before.lesson_id returning v.lesson_id as id, before.marked`.execute(db)
  return rows.filter(({ marked }) => marked).map(({ id }) => id)
}

export interface CheckerState {
  /** Number of errors in a row instead of answers. */
  readonly failures: number
  readonly retryAt: Date
  readonly heldAt: Date | null
  readonly held: number
}

const NEVER = new Date(0)

export async function readChecker(db: DbOrTx): Promise<CheckerState> {
  const { rows } = await sql<CheckerState>`
    select failures, retry_at as "retryAt", held_at as "heldAt", held from video_checker`.execute(
    db,
  )
  return rows[0] ?? { failures: 0, retryAt: NEVER, heldAt: null, held: 0 }
}

export async function storeChecker(
  db: DbOrTx,
  { failures, retryAt, heldAt, held }: CheckerState,
): Promise<void> {
  const row = { failures, retry_at: retryAt, held_at: heldAt, held }
  await db
    .insertInto('video_checker')
    .values(row)
    .onConflict((conflict) => conflict.column('one').doUpdateSet(row))
    .execute()
}

interface MissingRow {
  readonly id: number
  readonly title: string
  readonly videoId: string
  readonly ownerId: string
  readonly ownerName: string
  /** Key of the picture, or null for a generated one. */
  readonly ownerPicture: string | null
  readonly failedAt: Date
  readonly goneAt: Date | null
  readonly dueAt: Date
}

/** Lists the lessons whose last check failed, the marked ones first and the newest of each first. */
export async function listMissing(db: DbOrTx, page: number): Promise<MissingRow[]> {
  const { rows } = await sql<MissingRow>`
    select l.id, c.title, c.video_id as "videoId", l.owner_id as "ownerId", u.username as "ownerName",
      face.key as "ownerPicture", v.failed_at as "failedAt", v.gone_at as "goneAt", v.due_at as "dueAt"
    from video_checks v
    join lessons l on l.id = v.lesson_id and ${isReadable('l')}
    join lesson_contents c on c.lesson_id = l.id
    join users u on u.id = l.owner_id
    left join pictures face on face.id = u.picture_id
    where v.failed_at is not null
    order by v.gone_at desc nulls last, v.failed_at desc, l.id
    limit ${ROWS_PER_PAGE} offset ${(page - 1) * ROWS_PER_PAGE}`.execute(db)
  return rows
}

/** Makes a failed check due, and ends a pause of the checker. Returns false if the lesson has no failed check. */
export async function hurryCheck(db: DbOrTx, lessonId: number, now: Date): Promise<boolean> {
  const { rows } = await sql`
    with resumed as (update video_checker set retry_at = least(retry_at, ${now}))
    update video_checks set due_at = least(due_at, ${now})
    where lesson_id = ${lessonId} and failed_at is not null returning lesson_id`.execute(db)
  return rows.length > 0
}
