import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { createLog } from '#server/kernel/log.ts'
import { createViewCounter } from '#server/items/lessons/views.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { signUpAll, viewerOf } from '#server/testing/people.ts'

let time = new Date('2031-01-01T12:00:00Z')

const app = await createTestApp()
const { ann, bob } = await signUpAll(app, 'ann', 'bob')
const lessonId = (await app.publishLesson(ann)).id
const { db } = app.app.database
const createCounter = () =>
  createViewCounter({
    db,
    clock: { now: () => time },
    salt: randomBytes(32),
    log: createLog('silent'),
    events: { publish: () => {} },
  })
const views = createCounter()
afterAll(async () => {
  await views.close()
  await app.close()
})

const guest = (agent: string, address = '192.0.2.1') => ({ viewer: null, address, agent })
const signedIn = (person: Person, agent: string) => ({ ...guest(agent), viewer: viewerOf(person) })
const stored = async () => {
  const of = db.selectFrom('lessons').select('views').where('id', '=', lessonId)
  return (await of.executeTakeFirstOrThrow()).views
}

async function grownBy(act: () => void): Promise<number> {
  const before = await stored()
  act()
  await views.flush()
  return (await stored()) - before
}

test('a viewer counts once a UTC day', async () => {
  const view = () => views.count(lessonId, guest('one'))
  expect(await grownBy(() => [view(), view()])).toBe(1)
  expect(await grownBy(view)).toBe(0)
  time = new Date('2031-01-01T23:59:59.999Z')
  expect(await grownBy(view)).toBe(0)
  time = new Date('2031-01-02T00:00:00Z')
  expect(await grownBy(view)).toBe(1)
})

test('other agents and other addresses are other viewers', async () => {
  expect(
    await grownBy(() =>
      [guest('a'), guest('b'), guest('a', '192.0.2.2')].forEach((viewer) =>
        views.count(lessonId, viewer),
      ),
    ),
  ).toBe(3)
})

test("a signed-in person is one viewer everywhere, and the owner's own views do not count", async () => {
  const count = (person: Person, agent: string) => views.count(lessonId, signedIn(person, agent))
  expect(await grownBy(() => [count(bob, 'a'), count(bob, 'b')])).toBe(1)
  expect(await grownBy(() => count(ann, 'a'))).toBe(0)
})

test('a deleted lesson does not prevent others from being counted', async () => {
  expect(
    await grownBy(() => [views.count(999_999, guest('x')), views.count(lessonId, guest('x'))]),
  ).toBe(1)
})

test('neither addresses nor agents are stored', async () => {
  await grownBy(() => views.count(lessonId, guest('TellTale/1.0')))
  const rows = await app.app.database.db.selectFrom('lesson_views').selectAll().execute()
  expect(JSON.stringify(rows)).not.toMatch(/TellTale|192\.0\.2/)
})

test('who viewed is forgotten two days later', async () => {
  time = new Date('2031-01-05T00:00:00Z')
  await grownBy(() => views.count(lessonId, guest('late')))
  const rows = await app.app.database.db
    .selectFrom('lesson_views')
    .select('day')
    .distinct()
    .execute()
  expect(rows).toEqual([{ day: '2031-01-05' }])
})

test('the views of a busy day are deleted in bounded steps', async () => {
  const { pool } = app.app.database
  await pool.query(
    `insert into lesson_views (day, lesson_id, viewer) select date '2031-01-05', $1, 'v' || n from generate_series(1, 10500) n`,
    [lessonId],
  )
  time = new Date('2031-01-08T00:00:00Z')
  const old = async () => {
    const { count } = await db
      .selectFrom('lesson_views')
      .select((each) => each.fn.countAll<number>().as('count'))
      .where('day', '<', '2031-01-07')
      .executeTakeFirstOrThrow()
    return count
  }
  const before = await old()
  await grownBy(() => views.count(lessonId, guest('first of the day')))
  expect(await old()).toBe(before - 10_000)
  await grownBy(() => views.count(lessonId, guest('second of the day')))
  expect(await old()).toBe(0)
})

test('closing writes the remaining views', async () => {
  const other = createCounter()
  const before = await stored()
  other.count(lessonId, guest('last'))
  await other.close()
  expect(await stored()).toBe(before + 1)
})
