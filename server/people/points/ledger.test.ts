import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import {
  addEntries,
  award,
  balanceOf,
  lockBalances,
  spend as pay,
  withdraw,
} from '#server/people/points/ledger.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import { connectTestDatabase } from '#server/testing/database.ts'
import { addAuthor } from '#server/testing/rows.ts'
import { closeAtEnd } from '#server/testing/setup.ts'

/** Much earlier than the database's clock. */
const AT = new Date('2025-02-03T04:05:06Z')

const connection = closeAtEnd(await connectTestDatabase())

const person = (points = 0) => addAuthor(connection.db, points, AT)

const lesson = (id: number) => ({ kind: 'lesson', id, title: `Lesson ${id}` }) as const

const inTransaction = <Value>(act: (tx: Tx) => Promise<Value>) =>
  connection.db.transaction().execute(act)

const reward = (userId: string, amount: number, id: number) =>
  inTransaction((tx) => award(tx, { at: AT, userId, amount, reason: 'created', item: lesson(id) }))

/** A purchase. Returns null when the points don't suffice. */
function spend(userId: string, price: number, id: number): Promise<number | null> {
  return inTransaction(async (tx) => {
    const balances = await lockBalances(tx, [userId])
    const reason = { item: lesson(id), at: AT, reason: 'bought' } as const
    const balance = await pay(tx, balances, { ...reason, userId, amount: price })
    return balance === null ? null : balance.kbPoints
  })
}

async function sumOf(userId: string): Promise<{ sum: number; last: number; net: number }> {
  const { rows } = await sql<{ sum: number; last: number; net: number }>`
    select coalesce(sum(amount), 0)::bigint as sum,
      coalesce((select net_after from point_entries where user_id = ${userId} order by id desc limit 1), 0) as last,
      (select net from point_balances where user_id = ${userId}) as net
    from point_entries where user_id = ${userId}`.execute(connection.db)
  const [row] = rows
  if (row === undefined) throw new Error('no row')
  return row
}

describe('the ledger', () => {
  it('refuses to spend what is not there', async () => {
    const userId = await person(99)
    expect(await spend(userId, 100, 1)).toBeNull()
    expect(await balanceOf(connection.db, userId)).toEqual({ kbPoints: 99, debt: 0 })
  })

  it('dates every entry by the given clock, and none by that of the database', async () => {
    const userId = await person(100)
    await spend(userId, 100, 1)
    const { rows } = await sql<{ reason: string; created_at: Date }>`
      select reason, created_at from point_entries where user_id = ${userId} order by id`.execute(
      connection.db,
    )
    expect(rows).toEqual([
      { reason: 'welcome', created_at: AT },
      { reason: 'bought', created_at: AT },
    ])
  })

  it('writes the same change only once', async () => {
    const userId = await person()
    const answers = await Promise.all([1, 2, 3].map(() => reward(userId, 100, 7)))
    expect(answers).toEqual([{ kbPoints: 100 }, { kbPoints: 100 }, { kbPoints: 100 }])
    expect(await sumOf(userId)).toEqual({ sum: 100, last: 100, net: 100 })
  })

  it('adds up 100 awards that come at once', async () => {
    const userId = await person()
    await Promise.all(Array.from({ length: 100 }, (_, id) => reward(userId, 10, id + 1)))
    expect(await sumOf(userId)).toEqual({ sum: 1000, last: 1000, net: 1000 })
  })

  it('turns what is spent already into debt', async () => {
    const userId = await person(100)
    await spend(userId, 100, 1)
    const back = {
      at: AT,
      userId,
      amount: 100,
      reason: 'rewardWithdrawn',
      item: lesson(2),
    } as const
    await inTransaction((tx) => withdraw(tx, back))
    expect(await balanceOf(connection.db, userId)).toEqual({ kbPoints: 0, debt: 100 })
  })

  it('lets a reward meet the debt first', async () => {
    const userId = await person()
    const answer = await inTransaction(async (tx) => {
      await withdraw(tx, { at: AT, userId, amount: 60, reason: 'rewardWithdrawn', item: lesson(1) })
      return award(tx, { at: AT, userId, amount: 100, reason: 'created', item: lesson(2) })
    })
    expect(answer).toEqual({ kbPoints: 40 })
  })

  it('gives back to many buyers in one statement', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => person()))
    const unknownYet = await person()
    await sql`delete from point_balances where user_id = ${unknownYet}`.execute(connection.db)
    const buyers = [...people, unknownYet]
    const refund = () =>
      inTransaction((tx) =>
        addEntries(
          tx,
          { at: AT, reason: 'refunded', item: lesson(3) },
          buyers.map((userId) => ({ userId, amount: 100 })),
        ),
      )
    await Promise.all([refund(), refund()])
    for (const userId of buyers)
      expect(await sumOf(userId)).toEqual({ sum: 100, last: 100, net: 100 })
  })

  it('keeps the balance equal to the entries, whatever happens', async () => {
    const step = fc.record({
      kind: fc.constantFrom('award', 'spend', 'withdraw', 'nothing'),
      who: fc.integer({ min: 0, max: 1 }),
      amount: fc.integer({ min: 0, max: 300 }),
      item: fc.integer({ min: 1, max: 6 }),
      occurrence: fc.constantFrom('', 'again'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const people = [await person(50), await person()]
        const run = async ({ kind, who, amount, item, occurrence }: (typeof steps)[number]) => {
          const userId = people[who] ?? ''
          if (kind === 'spend') return void (await spend(userId, amount, item).catch(ignoreTwice))
          const reason = kind === 'award' ? 'created' : 'rewardWithdrawn'
          const signed = kind === 'withdraw' ? -amount : kind === 'award' ? amount : 0
          const change = { at: AT, userId, amount: signed, reason, occurrence } as const
          await inTransaction((tx) => award(tx, { ...change, item: lesson(item) }))
        }
        await Promise.all(steps.map(run))
        for (const userId of people) {
          const { sum, last, net } = await sumOf(userId)
          expect(net).toBe(sum)
          expect(last).toBe(sum)
          const { kbPoints, debt } = await balanceOf(connection.db, userId)
          expect(kbPoints - debt).toBe(sum)
          expect(Math.min(kbPoints, debt)).toBe(0)
        }
      }),
      { numRuns: 40 },
    )
  })
})

/** Purchases prevent buying twice; in these tests only the ledger refuses it. */
function ignoreTwice(error: unknown): void {
  if (!(error instanceof Error) || !error.message.includes('has this entry already')) throw error
}
