/**
 * The table of the processes that use this database. Its times are the database's, so wrong clocks of machines
 * don't matter.
 */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/connect.ts'

export interface NodeRow {
  readonly node: string
  readonly role: 'serves' | 'works'
  readonly url: string
  readonly version: string
  readonly publicUrl: string
  readonly keyMarks: readonly string[]
}

/** Refreshes a process's row, deletes stale rows, and returns the other processes. */
export async function beat(db: Db, own: NodeRow): Promise<NodeRow[]> {
  const { rows } = await sql<NodeRow>`
    with gone as (
      delete from nodes where node in (
        select node from nodes where seen_at < now() - interval '60 seconds' and node <> ${own.node}
        for update skip locked
      )
    ), own as (
      insert into nodes (node, role, url, version, public_url, signing_marks)
      values (${own.node}, ${own.role}, ${own.url}, ${own.version}, ${own.publicUrl}, ${own.keyMarks}::text[])
      on conflict (node) do update set seen_at = now()
    )
    select node, role, url, version, public_url as "publicUrl", signing_marks as "keyMarks"
    from nodes where node <> ${own.node} and seen_at > now() - interval '15 seconds'
    order by started_at limit 1000`.execute(db)
  return rows
}

export async function leave(db: Db, node: string): Promise<void> {
  await db.deleteFrom('nodes').where('node', '=', node).execute()
}
