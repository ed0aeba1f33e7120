/** The only module that writes the table of reports. */
import { sql } from 'kysely'
import type { CopyOutcome, FlagKind } from '#contract/flags.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { pendingSubjects } from '#server/people/moderation/appeals/pending.ts'
import { record } from '#server/platform/events/outbox.ts'
import { lock, lockName } from '#server/platform/db/locks.ts'

/** Maximum number of reports per person and day. */
const MOST_A_DAY = 20
const DAY_MS = 24 * 60 * 60 * 1000

export interface NewFlag {
  readonly reporterId: string
  readonly kind: FlagKind
  readonly subjectId: string
  readonly text: string
  /** The reporter's older lesson, for a report of a copy. */
  readonly originalId?: number
  readonly at: Date
}

/**
 * Returns the report's id. If the same person already has an open report of the same thing, or reported the same copy
 * before, returns that id. Returns null beyond the daily limit.
 */
export async function insertFlag(db: Db, flag: NewFlag): Promise<number | null> {
  const { reporterId, kind, subjectId, originalId } = flag
  return db.transaction().execute(async (tx) => {
    // Serialises one person's reports, so that concurrent ones see each other.
    await lock(tx, lockName.flags(reporterId))
    const open = await tx
      .selectFrom('flags')
      .select('id')
      .where('kind', '=', kind)
      .where('subject_id', '=', subjectId)
      .where('reporter_id', '=', reporterId)
      .where(
        originalId === undefined
          ? sql<boolean>`closed_at is null`
          : sql<boolean>`original_id = ${originalId}`,
      )
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (open !== undefined) return open.id
    const id = await insert(tx, flag)
    if (id !== null)
      await record(
        tx,
        { type: 'report.created', reportId: id, kind, subjectId, reporterId },
        flag.at,
      )
    return id
  })
}

async function insert(tx: Tx, flag: NewFlag): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    insert into flags (reporter_id, kind, subject_id, text, original_id, created_at)
    select ${flag.reporterId}::uuid, ${flag.kind}, ${flag.subjectId}, ${flag.text}, ${flag.originalId ?? null}::bigint,
      ${flag.at}::timestamptz
    where (select count(*) from flags
      where reporter_id = ${flag.reporterId} and created_at > ${new Date(flag.at.getTime() - DAY_MS)}) < ${MOST_A_DAY}
    returning id`.execute(tx)
  return rows[0]?.id ?? null
}

/** A report that was closed or reopened. */
export interface ChangedFlag {
  readonly id: number
  readonly text: string
  readonly reporterId: string
}

/** Closes all open reports of the same thing, except of copies. Locks them by id to avoid deadlocks. */
export async function closeFlags(
  tx: Tx,
  id: number,
  { by, at }: { readonly by: string; readonly at: Date },
): Promise<ChangedFlag[]> {
  const { rows } = await sql<ChangedFlag>`
    with found as materialized (
      select f.id from flags f join flags this on this.kind = f.kind and this.subject_id = f.subject_id
      where this.id = ${id} and this.closed_at is null and f.closed_at is null
        and (f.id = this.id or (f.original_id is null and this.original_id is null))
      order by f.id for update of f
    )
    update flags f set closed_at = ${at}, closed_by = ${by} from found where f.id = found.id
    returning f.id, f.text, f.reporter_id as "reporterId"`.execute(tx)
  return rows.toSorted((one, other) => one.id - other.id)
}

/** Returns null if the report is open, or was decided, which claims.ts undoes. */
export async function reopenFlag(tx: Tx, id: number): Promise<ChangedFlag | null> {
  const { rows } = await sql<ChangedFlag>`
    update flags f set closed_at = null, closed_by = null where f.id = ${id} and f.closed_at is not null and f.outcome is null
    returning f.id, f.text, f.reporter_id as "reporterId"`.execute(tx)
  return rows[0] ?? null
}

/** A report of a copy. */
export interface Claim {
  readonly id: number
  readonly lessonId: number
  readonly originalId: number
  readonly reporterId: string
  readonly outcome: CopyOutcome | null
  readonly closedAt: Date | null
}

/** Returns null for other reports. */
export async function lockClaim(tx: Tx, id: number): Promise<Claim | null> {
  const { rows } = await sql<Claim>`
    select id, case when kind = 'lesson' then subject_id::bigint end as "lessonId", original_id as "originalId",
      reporter_id as "reporterId", outcome, closed_at as "closedAt"
    from flags where id = ${id} and original_id is not null for update`.execute(tx)
  return rows[0] ?? null
}

/** Returns the report by which moderators decided at that time that a lesson is a copy, if they still think so. */
export async function findDecidedClaim(
  tx: Tx,
  lessonId: number,
  decidedAt: Date,
): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from flags
    where kind = 'lesson' and subject_id = ${String(lessonId)} and outcome in ('copy', 'removed')
      and original_id is not null and closed_at = ${decidedAt}`.execute(tx)
  return rows[0]?.id ?? null
}

/** Returns true if moderators removed a lesson as a copy, by another report than this one, and nobody took that back. */
export async function isRemovedAsCopy(
  tx: Tx,
  lessonId: number,
  exceptId: number | null = null,
): Promise<boolean> {
  const { rows } = await sql`
    select from flags where kind = 'lesson' and subject_id = ${String(lessonId)} and outcome = 'removed'
      and original_id is not null and id is distinct from ${exceptId}::bigint limit 1`.execute(tx)
  return rows.length > 0
}

/** Returns true if another report of the lesson was decided later, so that undoing this one must wait. */
export async function isDecidedLater(
  tx: Tx,
  { id, lessonId, closedAt }: Pick<Claim, 'id' | 'lessonId' | 'closedAt'>,
): Promise<boolean> {
  const { rows } = await sql`
    select from flags where kind = 'lesson' and subject_id = ${String(lessonId)} and outcome in ('copy', 'removed')
      and original_id is not null and id <> ${id} and closed_at > ${closedAt} limit 1`.execute(tx)
  return rows.length > 0
}

/** Stores a decision, or null for none, which opens the report again. */
export async function settleClaim(
  tx: Tx,
  id: number,
  decision: { readonly outcome: CopyOutcome; readonly by: string; readonly at: Date } | null,
): Promise<void> {
  const { outcome = null, by = null, at = null } = decision ?? {}
  await tx
    .updateTable('flags')
    .set({ outcome, closed_by: by, closed_at: at })
    .where('id', '=', id)
    .execute()
}

/** Days for which closed reports are stored. */
const CLOSED_DAYS = 365
/** Rows per run. The others follow a minute later. */
const BATCH = 1000

/**
 * Deletes old closed reports with their texts, except of copies whose appeals may still reverse the decision. The log
 * still contains the actions.
 */
export async function deleteOldClosedFlags(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - CLOSED_DAYS * DAY_MS)
  const pending = pendingSubjects(['copyConfirmed', 'copyRemoved'], now)
  const isDue = sql`closed_at < ${before} and (original_id is null or subject_id not in (${pending}))`
  await sql`
    delete from flags where id in (
      select id from flags where ${isDue} order by closed_at limit ${sql.lit(BATCH)}
    ) and ${isDue}`.execute(db)
}
