import { sql, type RawBuilder } from 'kysely'
import type { FlagKind } from '#contract/flags.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { isReadable } from '#server/items/shared/entitlement.ts'

const NUMBER = /^\d{1,16}$/

/** Finds a reported thing that the reporter can see. Messages must belong to one of their conversations. */
export async function findSubject(
  db: Db,
  kind: FlagKind,
  id: string,
  reporterId: string,
): Promise<boolean> {
  if (NUMBER.test(id) === (kind === 'profile')) return false
  const { rows } = await sql<{ there: boolean }>`
    select exists (${lookup(kind, id, reporterId)}) as there`.execute(db)
  return rows[0]?.there ?? false
}

function lookup(kind: FlagKind, id: string, reporterId: string): RawBuilder<unknown> {
  switch (kind) {
    case 'lesson':
      return sql`select from lessons l where l.id = ${id}::bigint and ${isReadable('l')}`
    case 'course':
      return sql`select from courses k where k.id = ${id}::bigint and ${isReadable('k')}`
    case 'comment':
      return sql`select from comments where id = ${id}::bigint and deleted_at is null`
    case 'rating':
      return sql`select from ratings where id = ${id}::bigint and deleted_at is null`
    case 'message':
      return sql`select from messages where id = ${id}::bigint and ${reporterId}::uuid in (sender_id, receiver_id)`
    case 'profile':
      return sql`select from users where id = ${id}::uuid and erased_at is null`
  }
}
