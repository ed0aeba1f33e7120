/**
 * The ledger has append-only entries, and each statement that adds one updates the balance. `net` is the sum of
 * the entries; a negative sum is shown as debt, a positive one as kbPoints.
 */
import { sql } from 'kysely'
import type { EntryReason, ItemKind } from '#contract/points.ts'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'
import type { ItemRef } from '#server/platform/events/catalogue.ts'
import { recordAll } from '#server/platform/events/outbox.ts'

export interface Balance {
  readonly kbPoints: number
  readonly debt: number
}

/** The title is stored as it is at the time of the entry. */
export interface EntryItem {
  readonly kind: ItemKind
  readonly id: number
  readonly title: string
}

export interface EntryCause {
  readonly reason: EntryReason
  /** The time of the event by the caller's clock, never the database's. */
  readonly at: Date
  readonly item?: EntryItem
  /** Distinguishes repetitions of a change, such as buying again after a refund. */
  readonly occurrence?: string
  /** Why a reward was withheld, which lesson left a course, or an administrator's reason. */
  readonly note?: string
}

/** One person's part of a change. The amount may be negative or 0. */
export interface Change {
  readonly userId: string
  readonly amount: number
}

/** Entries that others caused, of which the person is notified (server/community/notices). */
const NOTIFIED: ReadonlySet<EntryReason> = new Set([
  'refunded',
  'lessonGone',
  'rewardWithheld',
  'shareReturned',
  'corrected',
])

const NOTHING: Balance = { kbPoints: 0, debt: 0 }

/** Splits the sum of a person's entries into points and debt, one of which is always 0. */
export function toBalance(net: number): Balance {
  return { kbPoints: Math.max(0, net), debt: Math.max(0, -net) }
}

/** Returns 0 and 0 for people without entries. */
export async function balanceOf(db: DbOrTx, userId: string): Promise<Balance> {
  const row = await db
    .selectFrom('point_balances')
    .select('net')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return toBalance(row?.net ?? 0)
}

/** Creates a person's balance, with a welcome gift if the amount is positive. */
export async function welcomePerson(
  tx: Tx,
  userId: string,
  amount: number,
  at: Date,
): Promise<void> {
  await openBalances(tx, [userId])
  if (amount > 0) await award(tx, { userId, amount, reason: 'welcome', at })
}

/**
 * Adds one entry, whose amount may be 0. Repeating the same person, reason, item and occurrence has no effect.
 * Returns the person's kbPoints.
 */
export async function award(tx: Tx, entry: Change & EntryCause): Promise<{ kbPoints: number }> {
  const nets = await addEntries(tx, entry, [entry])
  return { kbPoints: toBalance(nets.get(entry.userId) ?? 0).kbPoints }
}

/** Takes back exactly what was given. What was already spent becomes debt. */
export function withdraw(tx: Tx, entry: Change & EntryCause): Promise<{ kbPoints: number }> {
  return award(tx, { ...entry, amount: -entry.amount })
}

/**
 * Adds one entry for each person, such as the refunds of an item's buyers, in one statement. Nobody may be named
 * twice. Locks balances in the order of their ids, so that two calls can't deadlock. Returns each person's net.
 */
export async function addEntries(
  tx: Tx,
  cause: EntryCause,
  changes: readonly Change[],
): Promise<ReadonlyMap<string, number>> {
  const { reason, at, item, occurrence = '', note } = cause
  const people = changes.map((change) => change.userId)
  const amounts = changes.map((change) => change.amount)
  const add = () =>
    sql<{ user_id: string; net: number; isNew: boolean }>`
      with change as (
        select * from unnest(${people}::uuid[], ${amounts}::integer[]) as change (user_id, amount)
      ), held as (
        select user_id, net from point_balances
        where user_id = any(${people}::uuid[]) order by user_id for update
      ), entry as (
        insert into point_entries (
          user_id, amount, reason, item_kind, item_id, item_title, occurrence, note, net_after, created_at
        )
        select held.user_id, change.amount, ${reason}::text, ${item?.kind ?? null}::text,
          ${item?.id ?? null}::bigint, ${item?.title ?? null}::text, ${occurrence}::text,
          ${note ?? null}::text, held.net + change.amount, ${at}::timestamptz
        from held join change using (user_id)
        on conflict on constraint point_entries_once do nothing
        returning user_id, amount
      ), moved as (
        update point_balances set net = point_balances.net + entry.amount
        from entry where point_balances.user_id = entry.user_id
        returning point_balances.user_id, point_balances.net
      )
      select held.user_id, coalesce(moved.net, held.net) as net, moved.net is not null as "isNew"
      from held left join moved using (user_id)`.execute(tx)
  let { rows } = await add()
  const added = rows.filter(({ isNew }) => isNew)
  if (rows.length < changes.length) {
    // Some people have no balance yet. For the others the entry exists already, so repeating the statement is
    // safe.
    await openBalances(tx, people)
    ;({ rows } = await add())
    added.push(...rows.filter(({ isNew }) => isNew))
  }
  if (NOTIFIED.has(reason)) {
    const given = new Set(added.map((row) => row.user_id))
    const words = reason === 'corrected' && note !== undefined ? { note } : {}
    const about = { reason, item: toRef(item), title: item?.title ?? null, ...words }
    const moved = changes.filter(({ userId }) => given.has(userId))
    await recordAll(
      tx,
      moved.map(({ userId, amount }) => ({ type: 'points.moved', userId, amount, ...about })),
      at,
    )
  }
  return new Map(rows.map((row) => [row.user_id, row.net]))
}

const toRef = (item?: EntryItem): ItemRef | null =>
  item === undefined ? null : { kind: item.kind, id: item.id }

async function openBalances(tx: Tx, people: readonly string[]): Promise<void> {
  await tx
    .insertInto('point_balances')
    .columns(['user_id'])
    .expression(sql`select unnest(${people}::uuid[])`)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Locks balances in the order of the people's ids until the transaction ends, and returns them. */
export async function lockBalances(
  tx: Tx,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Balance>> {
  const lock = () =>
    tx
      .selectFrom('point_balances')
      .select(['user_id', 'net'])
      .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
      .orderBy('user_id')
      .forUpdate()
      .execute()
  let rows = await lock()
  if (rows.length < userIds.length) {
    await openBalances(tx, userIds)
    rows = await lock()
  }
  return new Map(rows.map(({ user_id, net }) => [user_id, toBalance(net)]))
}

/** How often a person returned an item. It tells the entries of their purchases of it apart. */
export async function countReturns(tx: Tx, userId: string, { kind, id }: ItemRef): Promise<number> {
  const { returns } = await tx
    .selectFrom('point_entries')
    .select((where) => where.fn.countAll<number>().as('returns'))
    .where('user_id', '=', userId)
    .where('reason', 'in', ['returned', 'videoGone'])
    .where('item_kind', '=', kind)
    .where('item_id', '=', id)
    .executeTakeFirstOrThrow()
  return returns
}

export async function lockBalance(tx: Tx, userId: string): Promise<Balance> {
  const balances = await lockBalances(tx, [userId])
  return balances.get(userId) ?? NOTHING
}

/**
 * Takes a price from a person whose balance is locked and returns the new balance. Returns null and writes nothing
 * when the points don't suffice.
 * @throws Error when the ledger has this entry already
 */
export async function spend(
  tx: Tx,
  balances: ReadonlyMap<string, Balance>,
  entry: Change & EntryCause,
): Promise<Balance | null> {
  const { kbPoints, debt } = balances.get(entry.userId) ?? NOTHING
  if (debt > 0 || kbPoints < entry.amount) return null
  const after = await withdraw(tx, entry)
  if (after.kbPoints !== kbPoints - entry.amount)
    throw new Error(`the ledger has this entry already: ${entry.reason} of ${entry.userId}`)
  return { kbPoints: after.kbPoints, debt: 0 }
}
