/** Returning within a day of buying: who may, until when, and what comes back. */
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Problem } from '#contract/errors.ts'
import type { Course } from '#contract/courses.ts'
import type { Lesson } from '#contract/lessons.ts'
import type { Notice } from '#contract/notices.ts'
import type { ItemKind, Ledger } from '#contract/points.ts'
import { audit } from '#server/operate/audit/audit.ts'
import type { Person } from '#server/testing/app.ts'
import { done, refusalOf, statusesOf } from '#server/testing/http/answers.ts'
import { uploadFile } from '#server/testing/http/forms.ts'
import { buy, edit } from '#server/testing/learning/items.ts'
import { CAPITAL, checksOf } from '#server/testing/learning/self-checks.ts'
import { signUpAll } from '#server/testing/people.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({ DAILY_REWARD_LIMIT: '1000', WELCOME_POINTS: '5000' })
const { ann } = await signUpAll(app, 'ann')
const checks = checksOf(app, () => ann)
const query = (text: string, values: unknown[] = []) => app.app.database.pool.query(text, values)

let bob: Person
beforeEach(async () => {
  bob = await app.signUp(`bob${randomUUID().slice(0, 8)}`)
})

const giveBack = (id: number, kind: ItemKind = 'lesson', as = bob) =>
  app.call<Problem & { kbPoints: number }>('POST', `/${kind}/return/${id}`, { as })
const refused = async (id: number, kind: ItemKind = 'lesson') => refusalOf(await giveBack(id, kind))
const ledger = (as: Person) => done<Ledger>(app, as, 'GET /identity/points')
const showLesson = (id: number, as = bob) => done<Lesson>(app, as, `GET /lesson/${id}`)
const showCourse = (id: number, as = bob) => done<Course>(app, as, `GET /course/${id}`)
const bought = async (fields = {}) => {
  const { id } = await app.publishLesson(ann, fields)
  await buy(app, bob, 'lesson', id)
  return id
}
/** Moves a purchase into the past. */
const age = (id: number, hours: number, kind: ItemKind = 'lesson') =>
  query(
    `update ${kind}_purchases set created_at = created_at - $2 * interval '1 hour' where ${kind}_id = $1`,
    [id, hours],
  )
async function expectBooks(): Promise<void> {
  const { db } = app.app.database
  const { findings } = await audit({ db, storage: app.app.core.storage }, { isLive: false })
  const rules = ['balanceNotSum', 'entryNotRunning', 'purchaseNotPaid', 'shareNotPaid']
  expect(findings.filter(({ rule }) => [...rules, 'formerLessonInvalid'].includes(rule))).toEqual(
    [],
  )
}

describe('is refused', () => {
  test('without a purchase, and for what does not exist', async () => {
    const { id } = await app.publishLesson(ann)
    expect(await refused(id)).toBe('409 returnNotBought')
    expect(await refused(999_999)).toBe('404 lessonNotFound')
    expect(await refused(999_999, 'course')).toBe('404 courseNotFound')
  })

  test('after a day', async () => {
    const id = await bought()
    await age(id, 23)
    expect((await showLesson(id)).returnable).not.toBeNull()
    await age(id, 1)
    expect((await showLesson(id)).returnable).toBeNull()
    expect(await refused(id)).toBe('409 returnTooLate')
    await age(id, 24 * 90)
    expect(await refused(id)).toBe('409 returnTooLate')
  })

  const withCheck = { checks: JSON.stringify([CAPITAL]) }
  test.each<[string, string, (id: number) => Promise<unknown>]>([
    ['done', 'returnDone', (id) => done(app, bob, `PUT /progress/${id}`, { done: true })],
    [
      'rated',
      'returnRated',
      async (id) => {
        await done(app, bob, `PUT /progress/${id}`, { opened: true })
        await done(app, bob, `PUT /rating/lesson/${id}`, { stars: 4 })
      },
    ],
    [
      'commented',
      'returnCommented',
      (id) => done(app, bob, `POST /comment/create/${id}`, { text: 'Well explained, thank you.' }),
    ],
    ['tested', 'returnChecked', (id) => checks.take(id, [[1]], bob)],
    [
      'with its file downloaded',
      'returnFetched',
      async (id) => {
        const lesson = await showLesson(id)
        if (!('resources' in lesson)) throw new Error('it is locked')
        const headers = { authorization: `Bearer ${bob.session.accessToken}` }
        const address = `${app.url}${lesson.resources}`
        expect((await fetch(address, { method: 'HEAD', headers })).status).toBe(200)
        expect((await showLesson(id)).returnable).not.toBeNull()
        expect((await fetch(address, { headers })).status).toBe(200)
      },
    ],
  ])('for a lesson that is %s', async (_, code, use) => {
    const resources = await uploadFile(app, ann, 'plan.pdf')
    const id = await bought({ ...withCheck, resources })
    await use(id)
    expect((await showLesson(id)).returnable).toBeNull()
    expect(await refused(id)).toBe(`409 ${code}`)
    expect((await ledger(bob)).kbPoints).toBe(4900)
  })

  test('for what an access token bought', async () => {
    const { id } = await app.publishLesson(ann)
    const { token } = await done<{ token: string }>(app, bob, 'POST /identity/tokens', {
      name: 'shop',
      scopes: ['read', 'write'],
      days: 30,
      password: bob.password,
    })
    const headers = { authorization: `Bearer ${token}` }
    expect((await app.call('POST', `/lesson/buy/${id}`, { headers })).status).toBe(200)
    expect((await showLesson(id)).returnable).toBeNull()
    expect(await refused(id)).toBe('409 returnToken')
  })

  test('for a fourth item in a month, but not in the next one', async () => {
    const ids = [await bought(), await bought(), await bought(), await bought()]
    const answers = await Promise.all(ids.map((id) => giveBack(id)))
    expect(statusesOf(answers)).toEqual([200, 200, 200, 409])
    const left = ids[answers.findIndex(({ status }) => status === 409)] ?? 0
    expect(await refused(left)).toBe('409 returnTooMany')
    expect((await showLesson(left)).returnable).toBeNull()
    await query(
      `update point_entries set created_at = date_trunc('month', created_at at time zone 'UTC') at time zone 'UTC'
         - interval '1 second' where user_id = $1 and reason = 'returned'`,
      [bob.session._id],
    )
    expect((await giveBack(left)).status).toBe(200)
  })

  test('for a course of which two lessons were opened', async () => {
    const { id, lessons } = await app.publishCourse(ann)
    await buy(app, bob, 'course', id)
    const [first = 0, second = 0] = lessons.map((lesson) => lesson.id)
    await showLesson(first)
    await showLesson(first)
    expect((await showCourse(id)).returnable).not.toBeNull()
    await showLesson(second)
    expect((await showCourse(id)).returnable).toBeNull()
    expect(await refused(id, 'course')).toBe('409 returnOpened')
  })
})

test('a lesson comes back with its price and the author’s share, and can be bought and returned again', async () => {
  const id = await bought()
  const earned = (await ledger(ann)).kbPoints
  for (const _ of [1, 2]) {
    const { returnable } = await showLesson(id)
    const left = new Date(returnable?.until ?? 0).getTime() - Date.now()
    expect(left / 3_600_000).toBeCloseTo(24, 1)
    expect(returnable?.kbPoints).toBe(100)
    expect((await giveBack(id)).body).toEqual({ kbPoints: 5000 })
    expect(await refused(id)).toBe('409 returnNotBought')
    expect(await showLesson(id)).toMatchObject({ bought: false, can: { see: false, buy: true } })
    expect((await ledger(ann)).kbPoints).toBe(earned - 10)
    await buy(app, bob, 'lesson', id)
    expect((await ledger(ann)).kbPoints).toBe(earned)
  }
  const { entries } = await ledger(bob)
  expect(entries.map(({ reason }) => reason).slice(0, 5)).toEqual([
    'bought',
    'returned',
    'bought',
    'returned',
    'bought',
  ])
  await expectBooks()
})

test('a course comes back without what was refunded, and its openings count when it is bought again', async () => {
  const seven = await Promise.all(Array.from({ length: 7 }, () => app.publishLesson(ann)))
  const lessons = seven.map((lesson) => lesson.id)
  const { id } = await app.publishCourse(ann, { lessons })
  await buy(app, bob, 'course', id)
  const [gone = 0, left = 0, opened = 0, other = 0] = lessons
  await done(app, ann, `DELETE /lesson/${gone}`)
  // The lesson that leaves the course stays open to its only buyer.
  await edit(app, ann, ['course', id], {
    lessons: [...lessons.slice(2), (await app.publishLesson(ann)).id],
  })
  await showLesson(opened)
  await done(app, bob, `PUT /progress/${opened}`, { opened: true })
  await done(app, bob, `PUT /rating/course/${id}`, { stars: 2 })
  expect((await showCourse(id)).returnable?.kbPoints).toBe(500 - 71)
  expect((await giveBack(id, 'course')).body).toEqual({ kbPoints: 5000 })
  await app.runJobs()
  expect((await showCourse(id)).ratings, 'ends with the right').toBe(0)
  expect((await showLesson(left)).can.see).toBe(false)
  await expectBooks()
  await buy(app, bob, 'course', id)
  await showLesson(other)
  expect(await refused(id, 'course')).toBe('409 returnOpened')
})

test('the author is told once, by the share that is taken back or else by the return', async () => {
  const { cid, dan } = await signUpAll(app, 'cid', 'dan')
  const { id } = await app.publishLesson(cid)
  const { id: unshared } = await app.publishLesson(dan)
  await buy(app, bob, 'lesson', id)
  await query('update lessons set price = 5 where id = $1', [unshared])
  await buy(app, bob, 'lesson', unshared)
  await giveBack(id)
  await giveBack(unshared)
  await app.runJobs()
  const told = async (as: Person) => {
    const { notices } = await done<{ notices: Notice[] }>(app, as, 'GET /notice/all')
    return notices.map(({ kind, detail, actor }) => [kind, detail, actor === null])
  }
  expect(await told(cid)).toEqual([
    ['points', 'shareReturned', true],
    ['sold', 'share', false],
  ])
  expect(await told(dan)).toContainEqual(['sold', 'returned', true])
})

test('a double press returns once', async () => {
  const id = await bought()
  const answers = await Promise.all(Array.from({ length: 20 }, () => giveBack(id)))
  expect(statusesOf(answers)).toEqual([200, ...Array<number>(19).fill(409)])
  expect((await ledger(bob)).kbPoints).toBe(5000)
})

test.each<[string, (id: number) => Promise<{ status: number }>, string]>([
  [
    'that it is done',
    (id) => app.call('PUT', `/progress/${id}`, { as: bob, json: { done: true } }),
    `select from lesson_progress where user_id = $1 and lesson_id = $2 and marked`,
  ],
  [
    'a rating',
    (id) => app.call('PUT', `/rating/lesson/${id}`, { as: bob, json: { stars: 5 } }),
    `select from ratings where user_id = $1 and lesson_id = $2`,
  ],
  [
    'an attempt',
    (id) => app.call('POST', `/check/${id}`, { as: bob, json: { answers: [[1]] } }),
    `select from check_results where user_id = $1 and lesson_id = $2`,
  ],
])('at once with %s, one of the two wins', async (_, act, trace) => {
  for (const _round of [1, 2, 3, 4]) {
    bob = await app.signUp(`bob${randomUUID().slice(0, 8)}`)
    const id = await bought({ checks: JSON.stringify([CAPITAL]) })
    await done(app, bob, `PUT /progress/${id}`, { opened: true })
    const [{ status }, acted] = await Promise.all([giveBack(id), act(id)])
    const { rowCount } = await query(trace, [bob.session._id, id])
    if (status === 200) expect([acted.status, rowCount]).toEqual([403, 0])
    else expect([status, rowCount]).toEqual([409, 1])
  }
  await expectBooks()
})

test('of a course’s lessons that are opened at once with a return, none but one is read for nothing', async () => {
  const { id, lessons } = await app.publishCourse(ann)
  for (const _round of [1, 2, 3]) {
    bob = await app.signUp(`bob${randomUUID().slice(0, 8)}`)
    await buy(app, bob, 'course', id)
    const [returned, ...shown] = await Promise.all([
      giveBack(id, 'course'),
      ...lessons.map((lesson) => showLesson(lesson.id)),
    ])
    const read = shown.filter(({ can }) => can.see).length
    if (returned.status === 200) expect(read).toBeLessThanOrEqual(1)
    else expect(read).toBe(lessons.length)
  }
})
