import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import type { Viewer } from '#server/kernel/call.ts'
import { createLog } from '#server/kernel/log.ts'
import { createViewCounter } from '#server/lessons/views.ts'
import { createTestApp } from '#server/testing/app.ts'

let time = new Date('2031-01-01T12:00:00Z')
let lessonId = 0

const app = await createTestApp()
const ann = await app.signUp('ann')
lessonId = (await app.publishLesson(ann)).id
const { db } = app.app.database
const views = createViewCounter({
  db,
  clock: { now: () => time },
  salt: randomBytes(32),
  log: createLog('silent'),
  changes: { publish: () => {} },
})
afterAll(async () => {
  await views.close()
  await app.close()
})

const guest = (agent: string, address = '192.0.2.1') => ({ viewer: null, address, agent })
const signedIn = (id: string, agent: string) => {
  const viewer: Viewer = {
    id,
    username: id,
    role: 'user',
    suspended: false,
    sessionId: '',
    wroteLately: false,
  }
  return { ...guest(agent), viewer }
}

async function grownBy(act: () => void): Promise<number> {
  const read = () =>
    app.app.database.db
      .selectFrom('lessons')
      .select('views')
      .where('id', '=', lessonId)
      .executeTakeFirstOrThrow()
  const before = await read()
  act()
  await views.flush()
  return (await read()).views - before.views
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

test('a signed-in person is one viewer everywhere', async () => {
  const id = '01890000-0000-7000-8000-000000000001'
  expect(
    await grownBy(() =>
      [signedIn(id, 'a'), signedIn(id, 'b')].forEach((viewer) => views.count(lessonId, viewer)),
    ),
  ).toBe(1)
})

test("the owner's own do not count", async () => {
  expect(await grownBy(() => views.count(lessonId, signedIn(ann.session._id, 'a')))).toBe(0)
})

test('a lesson that is gone does not disturb the others', async () => {
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

test('of a busy day no more is deleted at a time than a statement has time for', async () => {
  const { db, pool } = app.app.database
  await pool.query(
    `insert into lesson_views (day, lesson_id, viewer) select date '2031-01-05', $1, 'v' || n from generate_series(1, 10500) n`,
    [lessonId],
  )
  time = new Date('2031-01-08T00:00:00Z')
  const stored = async () => {
    const { count } = await db
      .selectFrom('lesson_views')
      .select((each) => each.fn.countAll<number>().as('count'))
      .where('day', '<', '2031-01-07')
      .executeTakeFirstOrThrow()
    return count
  }
  const before = await stored()
  await grownBy(() => views.count(lessonId, guest('first of the day')))
  expect(await stored()).toBe(before - 10_000)
  await grownBy(() => views.count(lessonId, guest('second of the day')))
  expect(await stored()).toBe(0)
})

test('closing writes what is left', async () => {
  const { db } = app.app.database
  const other = createViewCounter({
    db,
    clock: { now: () => time },
    salt: randomBytes(32),
    log: createLog('silent'),
    changes: { publish: () => {} },
  })
  const before = await db
    .selectFrom('lessons')
    .select('views')
    .where('id', '=', lessonId)
    .executeTakeFirstOrThrow()
  other.count(lessonId, guest('last'))
  await other.close()
  const after = await db
    .selectFrom('lessons')
    .select('views')
    .where('id', '=', lessonId)
    .executeTakeFirstOrThrow()
  expect(after.views).toBe(before.views + 1)
})
