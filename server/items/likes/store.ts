/** SQL of likes. Only this folder writes their tables. */
import { sql } from 'kysely'
import type { ItemKind } from '#contract/points.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import { TABLES } from '#server/items/shared/tables.ts'

/** Returns false when the person has already liked the item. */
export async function insertLike(
  tx: Tx,
  kind: ItemKind,
  { userId, itemId, at }: { readonly userId: string; readonly itemId: number; readonly at: Date },
): Promise<boolean> {
  const { likes, id } = TABLES[kind]
  const { numAffectedRows } = await sql`
    insert into ${sql.table(likes)} (user_id, ${sql.ref(id)}, created_at) values (${userId}, ${itemId}, ${at})
    on conflict do nothing`.execute(tx)
  return numAffectedRows === 1n
}
