import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { EntryReason } from '#contract/points.ts'
import { countDay, countEconomy } from '#server/operate/economy/counting.ts'
import { readEconomy } from '#server/operate/economy/reading.ts'
import { award } from '#server/people/points/ledger.ts'
import { connectTestDatabase } from '#server/testing/database.ts'
import { addAuthor } from '#server/testing/rows.ts'
import { closeAtEnd } from '#server/testing/setup.ts'

const { db } = closeAtEnd(await connectTestDatabase())
const signal = new AbortController().signal

/** Noon of a day in March. */
const noon = (day: number) => new Date(Date.UTC(2026, 2, day, 12))
const countAt = (time: string) =>
  countEconomy({ db, clock: { now: () => new Date(time) } }, { signal })
const readDay = async (day: string) => (await readEconomy(db)).days.find((row) => row.day === day)

async function join(day: number): Promise<string> {
  const id = await addAuthor(db, 0, noon(day))
  await sql`update users set created_at = ${noon(day)}, username = ${id.slice(0, 8) + id.slice(-8)} where id = ${id}`.execute(
    db,
  )
  return id
}

let entries = 0
function enter(userId: string, day: number, reason: EntryReason, amount: number, note?: string) {
  entries += 1
  const item = { kind: 'lesson', id: entries, title: 'Knots' } as const
  const entry = { userId, amount, reason, at: noon(day), item, ...(note !== undefined && { note }) }
  return db.transaction().execute((tx) => award(tx, entry))
}

await countAt('2026-03-02T03:00:00Z')
const daysWithoutPeople = (await readEconomy(db)).days

const people: string[] = []
for (let number = 0; number < 12; number += 1) people.push(await join(1))
const [ann = '', bob = '', carl = '', copycat = ''] = people
/** Owes for her first lesson. */
const dora = await join(3)
for (const id of people) await enter(id, 1, 'created', 100)
await enter(ann, 2, 'created', 100)
await enter(ann, 2, 'rewardWithdrawn', -100)
await enter(bob, 2, 'bought', -100)
await enter(ann, 2, 'share', 10)
await enter(dora, 4, 'bought', -100)
await enter(dora, 5, 'created', 100)
await enter(carl, 9, 'bought', -100)
await enter(carl, 9, 'refunded', 100)
for (let number = 0; number < 6; number += 1)
  await enter(copycat, 3, 'rewardWithheld', 0, 'sameArticle')
await enter(carl, 3, 'rewardWithheld', 0, 'dailyLimit')

test('nothing is counted before there are people', () => {
  expect(daysWithoutPeople).toEqual([])
})

test('a day is counted ten minutes after its end, and missed days are counted later', async () => {
  await countAt('2026-03-02T00:09:00Z')
  expect((await readEconomy(db)).days).toEqual([])
  await countAt('2026-03-02T00:11:00Z')
  expect((await readEconomy(db)).days.map(({ day }) => day)).toEqual(['2026-03-01'])
  await countAt('2026-03-10T03:00:00Z')
  expect((await readEconomy(db)).days).toHaveLength(9)
})

test('a day has what was made and spent, without what was taken back', async () => {
  expect(await readDay('2026-03-02')).toMatchObject({
    made: { created: 100, rewardWithdrawn: -100 },
    spent: { bought: 100, share: -10 },
    supply: 1110,
    debt: 0,
    rewarded: 1,
    unlocks: 1,
    withheld: {},
  })
  expect(await readDay('2026-03-03')).toMatchObject({
    made: {},
    withheld: { sameArticle: 6, dailyLimit: 1 },
  })
})

test('what people only owe is not spent until they pay it', async () => {
  expect(await readDay('2026-03-04')).toMatchObject({
    spent: { bought: 100, owed: -100 },
    supply: 1110,
    debt: 100,
    unlocks: 1,
  })
  expect(await readDay('2026-03-05')).toMatchObject({
    made: { created: 100 },
    spent: { owed: 100 },
    supply: 1110,
    debt: 0,
  })
})

test('newcomers count as unlocking only within seven days', async () => {
  expect(await readDay('2026-03-01')).toMatchObject({ newcomers: 12, joinedWeekAgo: 0 })
  expect(await readDay('2026-03-08')).toMatchObject({ joinedWeekAgo: 12, unlockedInWeek: 1 })
  // Bob and Dora after one day, Carl after eight.
  expect(await readDay('2026-03-09')).toMatchObject({ daysToUnlock: 1 })
})

test('shares need ten people with points', async () => {
  expect(await readDay('2026-03-01')).toMatchObject({ gini: 0, topShare: 1 / 12 })
  await enter(ann, 10, 'welcome', 1090)
  for (const id of people.slice(9)) await enter(id, 10, 'bought', -100)
  await countAt('2026-03-11T03:00:00Z')
  expect(await readDay('2026-03-10')).toMatchObject({ supply: 1900, gini: null, topShare: null })
  await enter(bob, 11, 'created', 100)
  await enter(people[9] ?? '', 11, 'created', 100)
  await countAt('2026-03-12T03:00:00Z')
  // Nine people have 100 and one has 1,200: half of twice 0.9 · 1,100 / 2,100.
  const { gini = 0, topShare } = (await readDay('2026-03-11')) ?? {}
  expect(gini).toBeCloseTo((0.9 * 1100) / 2100)
  expect(topShare).toBeCloseTo(1200 / 2100)
})

test('counting a day again gives the same row', async () => {
  const { days } = await readEconomy(db)
  await countDay(db, '2026-03-02')
  expect((await readEconomy(db)).days).toEqual(days)
  await sql`delete from economy_days where day in ('2026-03-03', '2026-03-09')`.execute(db)
  await countAt('2026-03-12T03:01:00Z')
  // No longer known for a day that is counted late.
  const late = { activePeople: null, failedJobs: null }
  expect((await readEconomy(db)).days).toEqual(
    days.map((row) => (row.day === '2026-03-09' ? { ...row, ...late } : row)),
  )
})

test('unusual accounts are listed with what they do, the most unusual first', async () => {
  expect((await readEconomy(db)).unusual).toEqual([
    { person: expect.objectContaining({ id: copycat }), what: 'withheld', count: 6 },
  ])
  for (let number = 0; number < 10; number += 1) await enter(ann, 12, 'rewardWithdrawn', -100)
  await enter(bob, 12, 'created', 1200)
  await countAt('2026-03-13T03:00:00Z')
  const list = (await readEconomy(db)).unusual
  expect(list.map(({ person, what, count }) => [person.id, what, count])).toEqual([
    [ann, 'takenBack', 11],
    [bob, 'earner', 1400],
    [copycat, 'withheld', 6],
  ])
})
