/**
 * Stores events in the transaction in which they happen, so they are passed on if and only if it commits.
 * Recording appends narrow rows, so writers don't wait for each other.
 */
import { sql } from 'kysely'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { Event, KINDS, type StoredEvent } from '#server/platform/events/catalogue.ts'

const MINUTE_MS = 60_000
/** During an upgrade, events of types that only the newer version knows are left to its processes. */
const KNOWN = Object.keys(KINDS)

export function record(tx: Tx, event: StoredEvent, at: Date): Promise<void> {
  return recordAll(tx, [event], at)
}

export async function recordAll(tx: Tx, events: readonly StoredEvent[], at: Date): Promise<void> {
  if (events.length === 0) return
  const rows = events.map((data) => ({
    type: data.type,
    data,
    due_at: new Date(at.getTime() + KINDS[data.type].dueMinutes * MINUTE_MS),
  }))
  await sql`
    insert into events (type, data, happened_at, due_at)
    select type, data, ${at}::timestamptz, due_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (type text, data jsonb, due_at timestamptz)`.execute(
    tx,
  )
}

export interface Recorded {
  readonly id: number
  readonly event: Event
  readonly at: Date
}

/** Takes the oldest due events out of the table. */
export async function takeDue(tx: Tx, now: Date, most: number): Promise<readonly Recorded[]> {
  const { rows } = await sql<{ id: number; data: unknown; at: Date }>`
    with taken as (
      delete from events where ctid = any(array(
        select ctid from events where due_at <= ${now} and type = any(${KNOWN}::text[])
        order by due_at, id limit ${most}
      )) returning *
    )
    select id, data, happened_at as at from taken order by due_at, id`.execute(tx)
  return rows.map(({ id, data, at }) => ({ id, event: Event.parse(data), at }))
}

/** One index lookup. */
export async function isAnythingDue(db: Db, now: Date): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (
      select from events where due_at <= ${now} and type = any(${KNOWN}::text[])
    ) as due`.execute(db)
  return rows[0]?.due === true
}

/** Deletes events that name a person whose account is erased. */
export async function forgetEvents(db: DbOrTx, userId: string): Promise<void> {
  await sql`
    delete from events
    where jsonb_path_exists(data, '$.* ? (@ == $id)', jsonb_build_object('id', ${userId}::text))`.execute(
    db,
  )
}
