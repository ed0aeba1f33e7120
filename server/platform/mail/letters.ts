/** Limits letters to one person per day, and releases held ones when the address is confirmed. */
import { sql } from 'kysely'
import type { Tx } from '#server/platform/db/connect.ts'
import { lock, lockName } from '#server/platform/db/locks.ts'
import { queueMail, refuseNoAddress } from '#server/platform/mail/outbox.ts'

/** Letters to one person per UTC day; further ones go on later days. */
const MOST_A_DAY = 20
/** Of these, letters of one sender, so that nobody delays the letters of others for days. */
const OF_SENDER_A_DAY = 5
const DAY_MS = 24 * 60 * 60 * 1000

const startOfDay = (now: Date): Date => new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS)

/**
 * Returns when the next letter of a sender to a person may go: now, or on the first UTC day on which both limits
 * have room. Serializes letters to one person until the transaction ends.
 */
export async function findSendingTime(
  tx: Tx,
  { userId, senderId }: { readonly userId: string; readonly senderId: string },
  now: Date,
): Promise<Date> {
  await lock(tx, lockName.lettersTo(userId))
  const today = startOfDay(now)
  const { rows } = await sql<{ day: number; isFull: boolean }>`
    select floor(extract(epoch from send_after - ${today}::timestamptz) / 86400)::int as day,
      count(*) >= ${sql.lit(MOST_A_DAY)}
        or count(*) filter (where sender_id = ${senderId}) >= ${sql.lit(OF_SENDER_A_DAY)} as "isFull"
    from mails
    where user_id = ${userId} and kind = 'letter' and send_after >= ${today}
    group by 1`.execute(tx)
  const full = new Set(rows.filter(({ isFull }) => isFull).map(({ day }) => day))
  let day = 0
  while (full.has(day)) day += 1
  return day === 0 ? now : new Date(today.getTime() + day * DAY_MS)
}

/**
 * Releases the held letters of a locked person, at most as many a day as others, now that the address is
 * confirmed. Waiting and failed ones go to the new address too.
 */
export async function releaseLetters(
  tx: Tx,
  userId: string,
  address: string,
  now: Date,
): Promise<void> {
  refuseNoAddress(address)
  await sql`
    update mails set address = ${address}
    where user_id = ${userId} and kind = 'letter' and state in ('held', 'waiting', 'failed')
      and address <> ${address}`.execute(tx)
  const today = startOfDay(now)
  const { rows } = await sql<{ id: number; send_after: Date }>`
    with others as (
      select count(*) as count from mails
      where user_id = ${userId} and kind = 'letter' and state <> 'held' and send_after >= ${today}
    ), held as (
      select m.id, (row_number() over (order by m.id) - 1 + others.count) / ${sql.lit(MOST_A_DAY)} as days
      from mails m, others where m.user_id = ${userId} and m.state = 'held'
    )
    update mails m
    set state = 'waiting',
      send_after = case when held.days = 0 then ${now}::timestamptz
        else ${today}::timestamptz + held.days * interval '24 hours' end
    from held where m.id = held.id
    returning m.id, m.send_after`.execute(tx)
  for (const { id, send_after } of rows) await queueMail(tx, id, send_after)
}
