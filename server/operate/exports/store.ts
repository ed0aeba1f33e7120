import { sql } from 'kysely'
import type { DataExport } from '#contract/exports.ts'
import { EXPORTS_BYTES } from '#contract/limits.ts'
import type { DbOrTx } from '#server/platform/db/connect.ts'

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

/** Returns null if there is no copy, or it has expired. */
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

/** Approximate size of a lesson or message in JSON and page together. */
const LESSON_BYTES = 20_000
const MESSAGE_BYTES = 600
/** Bytes in JSON and page together for each stored byte of captions, which PostgreSQL compresses. */
const CAPTION_FACTOR = 6
/** Stops counting messages here, because the copy is large anyway. */
const MOST_COUNTED = 50_000

/** Estimates the size of a person's copy from their files and number of texts. */
export async function estimateBytes(db: DbOrTx, userId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select (
      (select coalesce(sum(f.size), 0) from uploads f where f.owner_id = ${userId} and f.finished_at is not null)
      + (select coalesce(sum(p.bytes), 0) from pictures p where p.owner_id = ${userId})
      + ${LESSON_BYTES}::int * (
        select count(*) from lessons l where l.owner_id = ${userId} and l.deleted_at is null
      )
      + ${CAPTION_FACTOR}::int * (
        select coalesce(sum(pg_column_size(k.cues)), 0) from lesson_captions k join lessons l on l.id = k.lesson_id
        where l.owner_id = ${userId} and l.deleted_at is null
      )
      + ${CAPTION_FACTOR}::int * (
        select coalesce(sum(pg_column_size(o.cues)), 0) from caption_offers o where o.user_id = ${userId}
      )
      + ${MESSAGE_BYTES}::int * (
        select count(*) from (select from messages m where m.sender_id = ${userId} limit ${sql.lit(MOST_COUNTED)}) m
      )
    )::bigint as bytes`.execute(db)
  return rows[0]?.bytes ?? 0
}

/**
 * Records a request for a copy and replaces the previous copy. Returns false if the stored copies leave no room.
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

/** Stores the number of bytes written. Returns false if the copy is no longer wanted. */
export async function writeProgress(db: DbOrTx, id: string, bytes: number): Promise<boolean> {
  const { rows } = await sql`
    update data_exports set state = 'making', bytes = ${bytes}
    where id = ${id} and state in ('waiting', 'making') returning id`.execute(db)
  return rows.length > 0
}

/** Makes it available until `endsAt`. Returns false if the copy is no longer wanted. */
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

export async function writeFailed(db: DbOrTx, id: string): Promise<void> {
  await sql`
    update data_exports set state = 'failed', bytes = 0 where id = ${id} and state in ('waiting', 'making')`.execute(
    db,
  )
}

/**
 * Returns the people whose copies have expired and locks these rows until the transaction ends. Skips locked ones.
 */
export async function lockEnded(tx: DbOrTx, now: Date, most: number): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    select e.user_id as "userId" from data_exports e where e.ends_at <= ${now}
    order by e.ends_at limit ${most} for update skip locked`.execute(tx)
  return rows.map(({ userId }) => userId)
}

export async function deleteExports(tx: DbOrTx, userIds: readonly string[]): Promise<void> {
  await sql`delete from data_exports where user_id = any(${userIds}::uuid[])`.execute(tx)
}
