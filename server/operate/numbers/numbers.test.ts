import { beforeAll, expect, test } from 'vitest'
import type { Numbers } from '#contract/desk.ts'
import { countEconomy } from '#server/operate/economy/counting.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { done } from '#server/testing/http/answers.ts'
import { signUpAll } from '#server/testing/people.ts'
import { addLessons, setSessions, setUser } from '#server/testing/rows.ts'
import { openTestApp } from '#server/testing/setup.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const app = await openTestApp()
const { admin, ann, bob } = await signUpAll(app, 'admin', 'ann', 'bob')
const { core, database } = app.app
const show = () => done<Numbers>(app, admin, 'GET /admin/numbers')
/** Counts the days that have ended by then. */
const countAt = (now: Date) =>
  countEconomy({ db: core.db, clock: { now: () => now } }, { signal: new AbortController().signal })

const today = new Date()
today.setUTCHours(3, 0, 0, 0)
const yesterday = new Date(today.getTime() - DAY_MS)
const before = new Date(today.getTime() - 2 * DAY_MS)

beforeAll(async () => {
  await setRole(core.db, 'admin', 'administrator')
  for (const person of [admin, ann, bob]) await setUser(app, person, { created_at: before })
  await setSessions(app, ann, { created_at: before, rotated_at: yesterday })
  await setSessions(app, bob, { created_at: before, rotated_at: before })
  await setSessions(app, admin, { created_at: today, rotated_at: today })
  await addLessons(app, ann, 3)
  await database.pool.query(`update lessons set created_at = $1`, [yesterday])
  await database.pool.query(
    `insert into messages (sender_id, receiver_id, text, created_at) values ($1, $2, 'Hello', $3)`,
    [ann.session._id, bob.session._id, before],
  )
  await database.pool.query(`update mails set state = 'sent', sent_at = $1`, [yesterday])
})

test('a day has people, lessons, messages, mails, and while it is fresh, active people', async () => {
  await countAt(today)
  const { days } = await show()
  expect(days).toMatchObject([
    { people: 3, newcomers: 3, lessons: 0, messages: 1, mails: 0, activePeople: null },
    { people: 3, newcomers: 0, lessons: 3, messages: 0, activePeople: 1, failedJobs: 0 },
  ])
  expect(days[1]?.mails).toBeGreaterThan(0)
})

test('days of a version that counted less are counted again', async () => {
  const { days } = await show()
  await database.pool.query(
    `update economy_days set people = null, lessons = null where day = $1`,
    [days[0]?.day],
  )
  await countAt(today)
  expect((await show()).days).toEqual(days)
})

test('parts are listed with what is wrong, and with the room that is left', async () => {
  const { parts, disk, database: bytes } = await show()
  expect(parts.find(({ name }) => name === 'database')).toEqual({
    name: 'database',
    needed: true,
    says: null,
  })
  expect(bytes).toBeGreaterThan(1_000_000)
  expect(disk?.size).toBeGreaterThan(disk?.free ?? Infinity)
})
