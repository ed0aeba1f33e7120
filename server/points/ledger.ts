/**
 * The ledger: append-only entries and, in the same statement, the balance. `net` is the sum of the entries and
 * may be negative; a person sees it as kbPoints or as debt.
 */
import { sql, type RawBuilder } from 'kysely'
import type { EntryReason, ItemKind } from '#contract/points.ts'
import type { DbOrTx, Tx } from '#server/db/connect.ts'
import { happened } from '#server/notices/happening.ts'

export interface Balance {
  readonly kbPoints: number
  readonly debt: number
}

/** What an entry is about; the title is stored as it is now. */
export interface EntryItem {
  readonly kind: ItemKind
  readonly id: number
  readonly title: string
}

export interface EntryCause {
  readonly reason: EntryReason
  /** When it happened, by the clock of the one who asks; the database's clock dates nothing here. */
  readonly at: Date
  readonly item?: EntryItem
  /** Distinguishes repetitions of one change, for example buying again after a refund. */
  readonly occurrence?: string
  /** Why a reward was withheld, which lesson left a course, or an administrator's words. */
  readonly note?: string
}

/** One person's share of a change; the amount may be negative or 0. */
export interface Change {
  readonly userId: string
  readonly amount: number
}

/** What others did to somebody's points: they are told of it (server/notices). */
const TOLD: ReadonlySet<EntryReason> = new Set([
  'refunded',
  'lessonGone',
  'rewardWithheld',
  'shareReturned',
])

/** What a person with this sum of entries has to spend, and what they owe: one of the two is always 0. */
export function toBalance(net: number): Balance {
  return { kbPoints: Math.max(0, net), debt: Math.max(0, -net) }
}

/** A person's balance as it is now; of who has no entry yet, 0 and 0. */
export async function balanceOf(db: DbOrTx, userId: string): Promise<Balance> {
  const row = await db
    .selectFrom('point_balances')
    .select('net')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return toBalance(row?.net ?? 0)
}

/** Begins a person's ledger, with or without points to start with. */
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
 * Writes one entry and moves the balance by its amount, which may be 0; the same (person, reason, item,
 * occurrence) again changes nothing. Answers the person's kbPoints.
 */
export async function award(tx: Tx, entry: Change & EntryCause): Promise<{ kbPoints: number }> {
  const nets = await addEntries(tx, entry, [entry])
  return { kbPoints: toBalance(nets.get(entry.userId) ?? 0).kbPoints }
}

/** Takes back exactly what was given; what is spent already becomes debt. */
export function withdraw(tx: Tx, entry: Change & EntryCause): Promise<{ kbPoints: number }> {
  return award(tx, { ...entry, amount: -entry.amount })
}

/**
 * One entry for each person (named at most once), in one statement, for example the refunds of an item's buyers.
 * Balances are locked in one order, so that two of these never wait for each other. Answers each one's net.
 */
export async function addEntries(
  tx: Tx,
  cause: EntryCause,
  changes: readonly Change[],
): Promise<ReadonlyMap<string, number>> {
  const { reason, at, item, occurrence = '', note } = cause
  const people = changes.map((change) => change.userId)
  const amounts = changes.map((change) => change.amount)
  const told = !TOLD.has(reason)
    ? sql``
    : sql`, told as (${happened({
        kind: 'points',
        person: sql`entry.user_id`,
        item: {
          kind: sql`${item?.kind ?? null}::text`,
          id: sql`${item?.id ?? null}::bigint`,
          title: sql`${item?.title ?? null}::text`,
        },
        detail: sql`${reason}::text`,
        amount: sql`entry.amount`,
        at,
        from: sql`entry`,
      })})`
  const add = () =>
    sql<{ user_id: string; net: number }>`
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
      )${told}, moved as (
        update point_balances set net = point_balances.net + entry.amount
        from entry where point_balances.user_id = entry.user_id
        returning point_balances.user_id, point_balances.net
      )
      select held.user_id, coalesce(moved.net, held.net) as net
      from held left join moved using (user_id)`.execute(tx)
  let { rows } = await add()
  if (rows.length < changes.length) {
    // Somebody has no balance yet. Those who have one got their entry, and get none again.
    await openBalances(tx, people)
    ;({ rows } = await add())
  }
  return new Map(rows.map((row) => [row.user_id, row.net]))
}

async function openBalances(tx: Tx, people: readonly string[]): Promise<void> {
  await tx
    .insertInto('point_balances')
    .columns(['user_id'])
    .expression(sql`select unnest(${people}::uuid[])`)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Makes all that changes this person's points wait until the transaction ends. */
export async function lockBalance(tx: Tx, userId: string): Promise<Balance> {
  const lock = () =>
    tx
      .selectFrom('point_balances')
      .select('net')
      .where('user_id', '=', userId)
      .forUpdate()
      .executeTakeFirst()
  let row = await lock()
  if (row === undefined) {
    await openBalances(tx, [userId])
    row = await lock()
  }
  return toBalance(row?.net ?? 0)
}

/**
 * First part of a statement that spends, to stand after `parties (user_id)`, all whose points it may move: `purses
 * (user_id, net)`, their balances, locked in the order of their ids, so that people who buy from one another never wait
 * for each other. Nothing is locked before it is read.
 */
export const PURSES = sql`purses as materialized (
    select user_id, net from point_balances where user_id = any(array(select user_id from parties))
    order by user_id for update
  )`

/**
 * Last part of such a statement, to stand after `sale (place, user_id, price, item_id, item_title, payee, share)`: a row
 * for each sale that is allowed, of people who are named once and have the price; `share` may be 0 and is added to the
 * payee's points. Writes the entries of all with the time of the sales, moves their balances, and defines `spent (place,
 * net)`, the balances of those who bought, after it. A person pays before they are given anything.
 */
export function spentCte(kind: ItemKind, at: Date): RawBuilder<unknown> {
  return sql`line as (
    select user_id, -price as amount, 'bought' as reason, '' as occurrence, place, item_id, item_title from sale
    union all
    select payee, share, 'share', user_id::text, place, item_id, item_title from sale where share > 0
  ), spending as (
    insert into point_entries (
      user_id, amount, reason, item_kind, item_id, item_title, occurrence, net_after, created_at
    )
    select purses.user_id, line.amount, line.reason, ${kind}::text, line.item_id, line.item_title, line.occurrence,
      purses.net + sum(line.amount) over own, ${at}::timestamptz
    from line join purses on purses.user_id = line.user_id
    window own as (partition by purses.user_id order by line.amount > 0, line.place rows unbounded preceding)
    order by purses.user_id, line.amount > 0, line.place
    returning user_id, amount
  ), moved as (
    update point_balances set net = point_balances.net + total.amount
    from (select user_id, sum(amount) as amount from spending group by user_id) total
    where point_balances.user_id = total.user_id
    returning point_balances.user_id, point_balances.net
  ), spent as (
    select sale.place, moved.net from sale join moved on moved.user_id = sale.user_id
  )`
}
