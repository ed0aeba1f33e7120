/** The SQL of the copies of people's data. */
import { sql } from 'kysely'
import type { DataExport } from '#contract/exports.ts'
import { EXPORTS_BYTES } from '#contract/limits.ts'
import type { DbOrTx } from '#server/db/connect.ts'

/** A copy that was asked for. */
export interface StoredExport {
  readonly id: string
  readonly state: Exclude<DataExport['state'], 'direct' | 'none'>
  readonly askedAt: Date
  readonly readyAt: Date | null
  readonly endsAt: Date
  readonly expected: number
  readonly bytes: number
}

const columns = sql`e.id, e.state, e.asked_at as "askedAt", e.ready_at as "readyAt", e.ends_at as "endsAt",
  e.expected, e.bytes`

/** The person's copy; null when there is none, or its time is over. */
export async function findExport(
  db: DbOrTx,
  userId: string,
  now: Date,
): Promise<StoredExport | null> {
  const { rows } = await sql<StoredExport>`
    select ${columns} from data_exports e where e.user_id = ${userId} and e.ends_at > ${now}`.execute(
    db,
  )
  return rows[0] ?? null
}

/** What a lesson or a message takes about, in the JSON and in the page. */
const LESSON_BYTES = 20_000
const MESSAGE_BYTES = 600
/** Messages that are counted: beyond it a copy is large anyway. */
const MOST_COUNTED = 50_000

/** About how many bytes the copy of a person's data will have: their files, and what their texts may take. */
export async function estimateBytes(db: DbOrTx, userId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select (
      (select coalesce(sum(f.size), 0) from uploads f where f.owner_id = ${userId} and f.finished_at is not null)
      + (select coalesce(sum(p.bytes), 0) from pictures p where p.owner_id = ${userId})
      + ${LESSON_BYTES}::int * (
        select count(*) from lessons l where l.owner_id = ${userId} and l.deleted_at is null
      )
      + ${MESSAGE_BYTES}::int * (
        select count(*) from (select from messages m where m.sender_id = ${userId} limit ${sql.lit(MOST_COUNTED)}) m
      )
    )::bigint as bytes`.execute(db)
  return rows[0]?.bytes ?? 0
}

/**
 * Notes that a person asks for a copy; what they had before is replaced. False when the copies that are stored leave no
 * room for it.
 */
export async function writeAsked(
  db: DbOrTx,
  asked: { userId: string; id: string; expected: number; now: Date; endsAt: Date },
): Promise<boolean> {
  const { userId, id, expected, now, endsAt } = asked
  const { rows } = await sql`
    insert into data_exports (user_id, id, state, asked_at, ends_at, expected)
    select ${userId}, ${id}, 'waiting', ${now}, ${endsAt}, ${expected}
    where (
      select coalesce(sum(greatest(e.expected, e.bytes)), 0) from data_exports e where e.user_id <> ${userId}
    ) + ${expected}::bigint <= ${EXPORTS_BYTES}::bigint
    on conflict (user_id) do update set id = excluded.id, state = 'waiting', asked_at = excluded.asked_at,
      ready_at = null, ends_at = excluded.ends_at, expected = excluded.expected, bytes = 0
    returning id`.execute(db)
  return rows.length > 0
}

/** How many bytes of a copy are written. False when it is not wanted any more. */
export async function writeProgress(db: DbOrTx, id: string, bytes: number): Promise<boolean> {
  const { rows } = await sql`
    update data_exports set state = 'making', bytes = ${bytes}
    where id = ${id} and state in ('waiting', 'making') returning id`.execute(db)
  return rows.length > 0
}

/** It is there until `endsAt`. False when it is not wanted any more. */
export async function writeReady(
  db: DbOrTx,
  id: string,
  { bytes, now, endsAt }: { bytes: number; now: Date; endsAt: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update data_exports set state = 'ready', bytes = ${bytes}, ready_at = ${now}, ends_at = ${endsAt}
    where id = ${id} and state in ('waiting', 'making') returning id`.execute(db)
  return rows.length > 0
}

/** It could not be made. */
export async function writeFailed(db: DbOrTx, id: string): Promise<void> {
  await sql`
    update data_exports set state = 'failed', bytes = 0 where id = ${id} and state in ('waiting', 'making')`.execute(
    db,
  )
}

/** People whose copies have ended, locked until the transaction ends; whose are locked already are left out. */
export async function lockEnded(tx: DbOrTx, now: Date, most: number): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    select e.user_id as "userId" from data_exports e where e.ends_at <= ${now}
    order by e.ends_at limit ${most} for update skip locked`.execute(tx)
  return rows.map(({ userId }) => userId)
}

/** Forgets copies. */
export async function deleteExports(tx: DbOrTx, userIds: readonly string[]): Promise<void> {
  await sql`delete from data_exports where user_id = any(${userIds}::uuid[])`.execute(tx)
}
