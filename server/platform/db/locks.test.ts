/**
 * Two versions of the product run side by side during a rolling restart, and each must wait for the other's locks.
 */
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { lock, lockConversation, lockIn, lockName, LOCK_SPACES } from '#server/platform/db/locks.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import { connectTestDatabase } from '#server/testing/database.ts'

const ANN = '0199aaaa-0000-7000-8000-000000000001'
const BOB = '0199aaaa-0000-7000-8000-000000000002'

const database = await connectTestDatabase()
afterAll(() => database.close())

/** Returns the keys that a transaction holds after `take`, from pg_locks. */
const keysAfter = (tx: Tx) =>
  sql<{ classid: number; objid: number; objsubid: number }>`
    select classid::bigint, objid::bigint, objsubid from pg_locks
    where locktype = 'advisory' and pid = pg_backend_pid() order by 1, 2`.execute(tx)

test('every lock has the same key as in earlier versions', async () => {
  const names = [
    lockName.draft(ANN, BOB),
    lockName.course(7),
    lockName.username('ann'),
    lockName.email('a@b.c'),
    lockName.comments(ANN),
    lockName.flags(ANN),
    lockName.lettersOf(ANN),
    lockName.lettersTo(ANN),
  ]
  expect(names).toEqual([
    `${ANN} ${BOB}`,
    'course 7',
    'name ann',
    'email a@b.c',
    `comments ${ANN}`,
    `flags ${ANN}`,
    `letters of ${ANN}`,
    `letters to ${ANN}`,
  ])
  const keysOf = (take: (tx: Tx) => Promise<unknown>) =>
    database.db.transaction().execute(async (tx) => {
      await take(tx)
      return (await keysAfter(tx)).rows
    })
  const ours: [(tx: Tx) => Promise<unknown>, string][] = [
    [
      (tx) => lock(tx, 'course 7', 'name ann'),
      `hashtextextended('course 7', 0)), pg_advisory_xact_lock(hashtextextended('name ann', 0)`,
    ],
    [(tx) => lockIn(tx, 'uploads', ANN), `7261003, hashtext('${ANN}')`],
    [(tx) => lockIn(tx, 'pictures', ANN), `7261004, hashtext('${ANN}')`],
    [(tx) => lockIn(tx, 'pictureFiles', 'a1b2'), `7261005, hashtext('a1b2')`],
    [
      (tx) => sql`select ${lockConversation(BOB, ANN)}`.execute(tx),
      `hashtextextended('${ANN}${BOB}', 0)`,
    ],
  ]
  for (const [take, earlier] of ours) {
    const taken = await keysOf(take)
    expect(taken.length).toBeGreaterThan(0)
    const statement = sql`select pg_advisory_xact_lock(${sql.raw(earlier)})`
    expect(taken).toEqual(await keysOf((tx) => statement.execute(tx)))
  }
  expect([LOCK_SPACES.migrations, LOCK_SPACES.workers]).toEqual([7_261_001, 7_261_002])
})

test('a second transaction waits until the first has ended', async () => {
  const order: string[] = []
  const isLocked = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  const first = database.db.transaction().execute(async (tx) => {
    await lock(tx, lockName.course(7))
    isLocked.resolve()
    await mayEnd.promise
    order.push('first')
  })
  await isLocked.promise
  const second = database.db.transaction().execute(async (tx) => {
    await lock(tx, lockName.course(7))
    order.push('second')
  })
  await database.db.transaction().execute((tx) => lock(tx, lockName.course(8)))
  order.push('another course')
  mayEnd.resolve()
  await Promise.all([first, second])
  expect(order).toEqual(['another course', 'first', 'second'])
})

test('several names in any order never deadlock', async () => {
  const names = [lockName.username('ann'), lockName.email('a@b.c'), lockName.username('bob')]
  const take = (wanted: readonly string[]) =>
    database.db.transaction().execute((tx) => lock(tx, ...wanted))
  await Promise.all(Array.from({ length: 40 }, (_, n) => take(n % 2 ? names : names.toReversed())))
})
