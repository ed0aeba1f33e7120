/** Who may unlock an item below zero: see docs/decisions/0110-first-lesson-on-trust.md. */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#server/platform/db/connect.ts'

/** A condition on `u` (users). While a change of the address is unconfirmed, the previous one counts. */
const isConfirmed = sql<boolean>`(coalesce(u.email_confirmed_at, u.previous_email_confirmed_at) is not null)`

/** A condition on `u` (users). Unlocking and publishing an item leave an entry forever, whatever happens later. */
const ownedItem = sql<boolean>`exists (
  select from point_entries e where e.user_id = u.id and e.item_id is not null
)`

/** True if a person may unlock an item of this price on trust. False for a null `userId`. */
export function mayTrust(userId: string | null, price: RawBuilder<number>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from users u left join point_balances b on b.user_id = u.id
    where u.id = ${userId}::uuid and coalesce(b.net, 0) between 0 and ${price} - 1
      and ${isConfirmed} and not ${ownedItem}
  )`
}

/** Returns why a person whose balance is locked gets nothing on trust, apart from the balance, or null. */
export async function findTrustRefusal(
  tx: Tx,
  userId: string,
): Promise<'trustUnconfirmed' | 'trustOnlyFirst' | null> {
  const { rows } = await sql<{ isConfirmed: boolean; ownedItem: boolean }>`
    select ${isConfirmed} as "isConfirmed", ${ownedItem} as "ownedItem" from users u where u.id = ${userId}`.execute(
    tx,
  )
  if (rows[0]?.isConfirmed !== true) return 'trustUnconfirmed'
  return rows[0].ownedItem ? 'trustOnlyFirst' : null
}
