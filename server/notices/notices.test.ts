/** What people are told of, over HTTP. */
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Notice } from '#contract/notices.ts'
import { setRole } from '#server/accounts/store.ts'
import { like as likeIt } from '#server/likes/likes.ts'
import { isAnythingDue, settleNotices } from '#server/notices/settling.ts'
import { clearNotices } from '#server/notices/store.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'

interface Page {
  readonly notices: Notice[]
  readonly total: number
  readonly unread: number
  readonly asOf: string
}

const MINUTE_MS = 60_000
let count = 0
/** Who makes things; of each test their own. */
let ann: Person
let bob: Person
let eve: Person

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000', WELCOME_POINTS: '5000' })
const admin = await app.signUp('moderator')
await setRole(app.app.database.db, 'moderator', 'administrator')
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.time = null
  count += 1
  ;[ann, bob, eve] = (await Promise.all(
    ['ann', 'bob', 'eve'].map((name) => app.signUp(`${name}${count}`)),
  )) as [Person, Person, Person]
})

const ok = async (method: string, path: string, as: Person, json?: unknown) => {
  const { status, body } = await app.call(method, path, { as, ...(json !== undefined && { json }) })
  expect([200, 204], `${path} ${JSON.stringify(body)}`).toContain(status)
  return body
}
const buy = (as: Person, id: number) => ok('POST', `/lesson/buy/${id}`, as)
const like = (as: Person, id: number) => ok('POST', `/lesson/like/${id}`, as)
const say = async (as: Person, id: number, replyTo?: number) => {
  const json = { text: 'A remark of some length', replyTo }
  return (await ok('POST', `/comment/create/${id}`, as, json)) as { id: number }
}
const write = (as: Person, to: Person, text = 'Are you there?') =>
  ok('POST', '/message/create', as, { text, receiverUsername: to.session.username })

/** All that is due is settled, by whichever process. */
async function settled(): Promise<void> {
  do await settleNotices(app.app.core)
  while (await isAnythingDue(app.app.database.db, app.clock.now()))
}
async function page(as: Person, query = ''): Promise<Page> {
  await settled()
  const { status, body } = await app.call<Page>('GET', `/notice/all${query}`, { as })
  expect(status).toBe(200)
  return body
}
/** What a person is told, in short. */
const told = async (as: Person) =>
  (await page(as)).notices.map(({ kind, count: often, actor, detail, read }) =>
    [kind, often, actor?.userName ?? detail ?? '', read ? 'read' : 'unread'].join(' '),
  )
const unread = async (as: Person) => {
  await settled()
  return (await app.call<{ unread: number }>('GET', '/notice/count', { as })).body.unread
}
const name = (person: Person) => person.session.username

describe('refusals', () => {
  test('a guest has no notices', async () => {
    for (const path of ['/notice/all', '/notice/count', '/notice/settings'])
      expect((await app.call('GET', path)).status).toBe(401)
    expect((await app.call('PUT', '/notice/read', { json: {} })).status).toBe(401)
  })
  test.each([
    [
      'more ids than a page has',
      '/notice/read',
      { ids: Array.from({ length: 101 }, (_, id) => id + 1) },
    ],
    ['a time that is none', '/notice/read', { upTo: 'yesterday' }],
    ['a zone that is none', '/notice/settings', { zone: 'Europe/Plovdiv' }],
    ['an offset for a zone', '/notice/settings', { zone: '+02:00' }],
    ['no zone of a browser', '/notice/settings', { browserZone: 'Europe/Plovdiv' }],
    [
      'a kind that is none',
      '/notice/settings',
      { choices: [{ kind: 'x', shown: true, mail: 'none' }] },
    ],
    [
      'a way that is none',
      '/notice/settings',
      { choices: [{ kind: 'sold', shown: true, mail: 'sms' }] },
    ],
  ])('%s', async (_, path, json) => {
    expect((await app.call('PUT', path, { as: ann, json })).status).toBe(400)
  })
  test('what another was told is read by nobody else, nor marked', async () => {
    const { id } = await app.publishLesson(ann)
    await buy(bob, id)
    const [notice] = (await page(ann)).notices
    await ok('PUT', '/notice/read', eve, { ids: [notice?.id] })
    expect(await told(ann)).toEqual([`sold 1 ${name(bob)} unread`])
    expect(await told(eve)).toEqual([])
  })
})

describe('what is told', () => {
  test('sales and likes of an item and a day are one line each, of the last one and how many', async () => {
    const { id, title } = await app.publishLesson(ann)
    for (const person of [bob, eve]) {
      await buy(person, id)
      await like(person, id)
    }
    const { notices, total } = await page(ann)
    expect(total).toBe(2)
    expect(notices.map(({ kind, count: often, actor }) => [kind, often, actor?.userName])).toEqual(
      expect.arrayContaining([
        ['sold', 2, name(eve)],
        ['liked', 2, name(eve)],
      ]),
    )
    expect(notices[0]?.item).toEqual({ kind: 'lesson', id, title, gone: false })
    expect(await unread(ann)).toBe(2)
    expect(await unread(bob)).toBe(0)
  })
  test('another day, or another item, is another line', async () => {
    const first = await app.publishLesson(ann)
    const second = await app.publishLesson(ann)
    await like(bob, first.id)
    await like(bob, second.id)
    app.clock.time = new Date(Date.now() + 26 * 60 * MINUTE_MS)
    // By then the token of a session has ended.
    const liking = { userId: eve.session._id, kind: 'lesson', itemId: first.id } as const
    await likeIt({ db: app.app.database.db, clock: app.clock }, liking)
    await settled()
    app.clock.time = null
    expect(await told(ann)).toHaveLength(3)
  })
  test('a course is told of like a lesson', async () => {
    const { id } = await app.publishCourse(ann)
    await ok('POST', `/course/buy/${id}`, bob)
    await ok('POST', `/course/like/${id}`, bob)
    expect((await page(ann)).notices.map(({ kind, item }) => [kind, item?.kind, item?.id])).toEqual(
      expect.arrayContaining([
        ['sold', 'course', id],
        ['liked', 'course', id],
      ]),
    )
  })
  test('of an answer hears who is answered, and the owner of the lesson when it is another', async () => {
    const { id } = await app.publishLesson(ann)
    await buy(bob, id)
    await buy(eve, id)
    const { id: asked } = await say(bob, id)
    await say(eve, id, asked)
    await say(ann, id, asked)
    expect(await told(bob)).toEqual([`answered 2 ${name(ann)} unread`])
    expect(await told(ann)).toEqual(
      expect.arrayContaining([`commented 2 ${name(eve)} unread`, `sold 2 ${name(eve)} unread`]),
    )
    const [answered] = (await page(bob)).notices
    expect(answered?.comment).toBeGreaterThan(asked)
  })
  test('nobody is told of what they did themselves', async () => {
    const { id } = await app.publishLesson(ann)
    const { id: own } = await say(ann, id)
    await say(ann, id, own)
    expect(await told(ann)).toEqual([])
  })
  test('nothing comes of whom one has blocked', async () => {
    const { id } = await app.publishLesson(ann)
    await ok('POST', `/identity/block/${bob.session._id}`, ann)
    await buy(bob, id)
    await like(bob, id)
    await say(bob, id)
    await like(eve, id)
    expect(await told(ann)).toEqual([`liked 1 ${name(eve)} unread`])
  })
  test('of a message one hears when it is still unread five minutes later, and no more once it is read', async () => {
    await write(bob, ann)
    await write(eve, ann)
    await ok('POST', `/message/read/${name(eve)}`, ann)
    expect(await told(ann)).toEqual([])
    const now = Date.now()
    app.clock.time = new Date(now + 5 * MINUTE_MS - 5000)
    expect(await told(ann)).toEqual([])
    app.clock.time = new Date(now + 5 * MINUTE_MS + 5000)
    expect(await told(ann)).toEqual([`message 1 ${name(bob)} unread`])
    await ok('POST', `/message/read/${name(bob)}`, ann)
    expect(await unread(ann)).toBe(0)
    expect(await told(ann)).toEqual([`message 1 ${name(bob)} read`])
  })
  test('points that come back are told of with the item that is gone', async () => {
    const { id, title } = await app.publishLesson(ann)
    await buy(bob, id)
    await ok('DELETE', `/lesson/${id}`, ann)
    const [notice] = (await page(bob)).notices
    expect(notice).toMatchObject({
      kind: 'points',
      detail: 'refunded',
      actor: null,
      amount: expect.any(Number),
    })
    expect(notice?.amount).toBeGreaterThan(0)
    expect(notice?.item).toEqual({ kind: 'lesson', id, title, gone: true })
  })
  test('a share that refunds take back is told of to the author, all refunds of an item in one', async () => {
    const { id, title } = await app.publishLesson(ann)
    await buy(bob, id)
    await buy(eve, id)
    expect(await told(ann)).toEqual([`sold 2 ${name(eve)} unread`])
    await ok('DELETE', `/lesson/${id}`, ann)
    const [notice] = (await page(ann)).notices
    expect(notice).toMatchObject({
      kind: 'points',
      detail: 'shareReturned',
      actor: null,
      // A tenth of 100, twice.
      amount: -20,
      item: { kind: 'lesson', id, title, gone: true },
    })
    expect((await told(ann)).filter((line) => line.startsWith('points'))).toHaveLength(1)
  })
  test('what a moderator does is told with the words of the act and without a name', async () => {
    const { id } = await app.publishLesson(ann)
    await buy(bob, id)
    const { id: comment } = await say(bob, id)
    await ok('DELETE', `/comment/delete/${comment}`, admin)
    await ok('POST', `/admin/suspend/${bob.session._id}`, admin, { reason: 'Spam in comments' })
    expect(await told(bob)).toEqual([
      'moderation 1 suspended unread',
      'moderation 1 commentDeleted unread',
    ])
    const [notice] = (await page(bob)).notices
    expect(notice).toMatchObject({ actor: null, note: 'Spam in comments' })
    // The suspended read on, and may say that they have.
    await ok('PUT', '/notice/read', bob, {})
    expect(await unread(bob)).toBe(0)
  })
  test('to an account that is erased nothing is told', async () => {
    const { id } = await app.publishLesson(ann)
    await like(bob, id)
    await settled()
    await like(eve, id)
    await ok('POST', '/identity/erase', ann, { password: ann.password })
    await settled()
    await app.runJobs()
    const rows = await app.app.database.db
      .selectFrom('notices')
      .select('id')
      .where('user_id', '=', ann.session._id)
      .execute()
    expect(rows).toEqual([])
  })
})

describe('reading', () => {
  test('what is added to a line that was read makes it unread again, and counts on', async () => {
    const { id } = await app.publishLesson(ann)
    await like(bob, id)
    const { asOf } = await page(ann)
    await ok('PUT', '/notice/read', ann, { upTo: asOf })
    expect(await told(ann)).toEqual([`liked 1 ${name(bob)} read`])
    await like(eve, id)
    expect(await told(ann)).toEqual([`liked 2 ${name(eve)} unread`])
  })
  test('what came after the page was shown stays unread', async () => {
    const { id } = await app.publishLesson(ann)
    await like(bob, id)
    const { asOf, notices } = await page(ann)
    await like(eve, id)
    await settled()
    await ok('PUT', '/notice/read', ann, { upTo: asOf, ids: notices.map((each) => each.id) })
    expect(await unread(ann)).toBe(1)
  })
  test('after 90 days they go, and pages beyond the end are empty', async () => {
    const { id } = await app.publishLesson(ann)
    await like(bob, id)
    expect((await page(ann, '?page=2')).notices).toEqual([])
    const later = (days: number) => ({
      now: () => new Date(Date.now() + days * 24 * 60 * MINUTE_MS),
    })
    await clearNotices(app.app.database.db, later(89))
    expect((await page(ann)).total).toBe(1)
    await clearNotices(app.app.database.db, later(91))
    expect((await page(ann)).total).toBe(0)
  })
})

describe('choosing', () => {
  const choose = (as: Person, kind: string, shown: boolean, mail: string) =>
    ok('PUT', '/notice/settings', as, { choices: [{ kind, shown, mail }] })

  test('all is shown at first, and four kinds are in the daily mail', async () => {
    const { body } = await app.call<{ choices: { kind: string; shown: boolean; mail: string }[] }>(
      'GET',
      '/notice/settings',
      { as: ann },
    )
    expect(body).toMatchObject({ zone: 'UTC', zoneChosen: false, confirmed: false, mails: true })
    expect(body.choices.every(({ shown }) => shown)).toBe(true)
    expect(body.choices.filter(({ mail }) => mail === 'digest').map(({ kind }) => kind)).toEqual([
      'sold',
      'rated',
      'message',
      'moderation',
    ])
    expect(body.choices.some(({ mail }) => mail === 'once')).toBe(false)
  })
  test('the zone of the browser counts until one is chosen, and again when none is', async () => {
    const zoneAfter = async (json: Record<string, string | null>) => {
      await ok('PUT', '/notice/settings', ann, json)
      const { body } = await app.call<Record<string, unknown>>('GET', '/notice/settings', {
        as: ann,
      })
      return [body['zone'], body['zoneChosen']]
    }
    expect(await zoneAfter({ browserZone: 'Europe/Sofia' })).toEqual(['Europe/Sofia', false])
    expect(await zoneAfter({ zone: 'Asia/Tokyo' })).toEqual(['Asia/Tokyo', true])
    expect(await zoneAfter({ browserZone: 'Europe/Paris' })).toEqual(['Asia/Tokyo', true])
    expect(await zoneAfter({ zone: null, browserZone: 'Europe/Paris' })).toEqual([
      'Europe/Paris',
      false,
    ])
  })
  test('a kind that is wanted in no way makes no notice, and comes back when it is wanted', async () => {
    const { id } = await app.publishLesson(ann)
    await choose(ann, 'liked', false, 'none')
    await like(bob, id)
    expect(await told(ann)).toEqual([])
    await choose(ann, 'liked', true, 'none')
    await like(eve, id)
    expect(await told(ann)).toEqual([`liked 1 ${name(eve)} unread`])
  })
  test('a kind that is wanted by mail alone counts nowhere in the product', async () => {
    const { id } = await app.publishLesson(ann)
    await choose(ann, 'liked', false, 'digest')
    await like(bob, id)
    expect(await told(ann)).toEqual([])
    expect(await unread(ann)).toBe(0)
  })
})

test('two hundred likes, settled by ten at once, are one line of two hundred', async () => {
  const { id } = await app.publishLesson(ann)
  const { db } = app.app.database
  const { rows } = await sql<{ id: string }>`
    insert into users (id, username, username_skeleton, username_folded, email, email_folded, password_hash, created_at)
    select gen_random_uuid(), n.name, n.name, n.name, n.name || '@people.example', n.name || '@people.example', '', now()
    from (select 'liker' || place as name from generate_series(1, 200) place) n returning id`.execute(
    db,
  )
  await Promise.all([
    ...rows.map(({ id: userId }) =>
      likeIt({ db, clock: app.clock }, { userId, kind: 'lesson', itemId: id }),
    ),
    ...Array.from({ length: 10 }, () => settleNotices(app.app.core)),
  ])
  expect(await told(ann)).toEqual([expect.stringMatching(/^liked 200 /)])
})
