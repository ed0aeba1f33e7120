import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Notice } from '#contract/notices.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { like as likeIt } from '#server/items/likes/likes.ts'
import { clearNotices } from '#server/community/notices/store.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { settleAll } from '#server/testing/learning/notices.ts'

interface Page {
  readonly notices: Notice[]
  readonly total: number
  readonly unread: number
  readonly asOf: string
}

const MINUTE_MS = 60_000
let count = 0
/** Each test has its own author. */
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

const buy = (as: Person, id: number) => done(app, as, `POST /lesson/buy/${id}`)
const like = (as: Person, id: number) => done(app, as, `POST /lesson/like/${id}`)
const say = (as: Person, id: number, replyTo?: number) => {
  const json = { text: 'A remark of some length', replyTo }
  return done<{ id: number }>(app, as, `POST /comment/create/${id}`, json)
}
const write = (as: Person, to: Person, text = 'Are you there?') =>
  done(app, as, 'POST /message/create', { text, receiverUsername: to.session.username })

async function page(as: Person, query = ''): Promise<Page> {
  await settleAll(app)
  return done<Page>(app, as, `GET /notice/all${query}`)
}
/** Returns a person's notices in short. */
const summarise = async (as: Person) =>
  (await page(as)).notices.map(({ kind, count: often, actor, detail, read }) =>
    [kind, often, actor?.userName ?? detail ?? '', read ? 'read' : 'unread'].join(' '),
  )
const unread = async (as: Person) => {
  await settleAll(app)
  return (await app.call<{ unread: number }>('GET', '/notice/count', { as })).body.unread
}
const name = (person: Person) => person.session.username

describe('refusals', () => {
  test.each([
    ['/notice/read', { upTo: 'yesterday' }],
    ['/notice/settings', { zone: 'Europe/Plovdiv' }],
    ['/notice/settings', { browserZone: 'Europe/Plovdiv' }],
    ['/notice/settings', { choices: [{ kind: 'x', shown: true, mail: 'none' }] }],
    ['/notice/settings', { choices: [{ kind: 'sold', shown: true, mail: 'sms' }] }],
  ])('%s of %j', async (path, json) => {
    expect((await app.call('PUT', path, { as: ann, json })).status).toBe(400)
  })
  test('notices of other people can not be read or marked', async () => {
    const { id } = await app.publishLesson(ann)
    await buy(bob, id)
    const [notice] = (await page(ann)).notices
    await done(app, eve, 'PUT /notice/read', { ids: [notice?.id] })
    expect(await summarise(ann)).toEqual([`sold 1 ${name(bob)} unread`])
    expect(await summarise(eve)).toEqual([])
  })
})

describe('notices', () => {
  test('sales and likes of an item are grouped by day, with the last person and the number', async () => {
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
    // A tenth of 100, twice.
    expect(notices.find(({ kind }) => kind === 'sold')).toMatchObject({
      detail: 'share',
      amount: 20,
    })
    expect(await unread(ann)).toBe(2)
    expect(await unread(bob)).toBe(0)
  })
  test('other days and other items have separate notices', async () => {
    const first = await app.publishLesson(ann)
    const second = await app.publishLesson(ann)
    await like(bob, first.id)
    await like(bob, second.id)
    app.clock.time = new Date(Date.now() + 26 * 60 * MINUTE_MS)
    // The session's token has expired by then.
    const liking = { userId: eve.session._id, kind: 'lesson', itemId: first.id } as const
    await likeIt({ db: app.app.database.db, clock: app.clock }, liking)
    await settleAll(app)
    app.clock.time = null
    expect(await summarise(ann)).toHaveLength(3)
  })
  test('courses have notices like lessons', async () => {
    const { id } = await app.publishCourse(ann)
    await done(app, bob, `POST /course/buy/${id}`)
    await done(app, bob, `POST /course/like/${id}`)
    expect((await page(ann)).notices.map(({ kind, item }) => [kind, item?.kind, item?.id])).toEqual(
      expect.arrayContaining([
        ['sold', 'course', id],
        ['liked', 'course', id],
      ]),
    )
  })
  test('a reply notifies the author of the comment, and another owner of the lesson', async () => {
    const { id } = await app.publishLesson(ann)
    await buy(bob, id)
    await buy(eve, id)
    const { id: asked } = await say(bob, id)
    await say(eve, id, asked)
    await say(ann, id, asked)
    expect(await summarise(bob)).toEqual([`answered 2 ${name(ann)} unread`])
    expect(await summarise(ann)).toEqual(
      expect.arrayContaining([`commented 2 ${name(eve)} unread`, `sold 2 ${name(eve)} unread`]),
    )
    const [answered] = (await page(bob)).notices
    expect(answered?.comment).toBeGreaterThan(asked)
  })
  test('people’s own actions create no notice', async () => {
    const { id } = await app.publishLesson(ann)
    const { id: own } = await say(ann, id)
    await say(ann, id, own)
    expect(await summarise(ann)).toEqual([])
  })
  test('blocked people create no notice', async () => {
    const { id } = await app.publishLesson(ann)
    await done(app, ann, `POST /identity/block/${bob.session._id}`)
    await buy(bob, id)
    await like(bob, id)
    await say(bob, id)
    await like(eve, id)
    expect(await summarise(ann)).toEqual([`liked 1 ${name(eve)} unread`])
  })
  test('of a message one hears when it is still unread five minutes later, and no more once it is read', async () => {
    await write(bob, ann)
    await write(eve, ann)
    await done(app, ann, `POST /message/read/${name(eve)}`)
    expect(await summarise(ann)).toEqual([])
    const now = Date.now()
    app.clock.time = new Date(now + 5 * MINUTE_MS - 5000)
    expect(await summarise(ann)).toEqual([])
    app.clock.time = new Date(now + 5 * MINUTE_MS + 5000)
    expect(await summarise(ann)).toEqual([`message 1 ${name(bob)} unread`])
    await done(app, ann, `POST /message/read/${name(bob)}`)
    expect(await unread(ann)).toBe(0)
    expect(await summarise(ann)).toEqual([`message 1 ${name(bob)} read`])
  })
  test('a refund names the deleted item', async () => {
    const { id, title } = await app.publishLesson(ann)
    await buy(bob, id)
    await done(app, ann, `DELETE /lesson/${id}`)
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
  test('a share taken back notifies the author, once for all refunds of an item', async () => {
    const { id, title } = await app.publishLesson(ann)
    await buy(bob, id)
    await buy(eve, id)
    expect(await summarise(ann)).toEqual([`sold 2 ${name(eve)} unread`])
    await done(app, ann, `DELETE /lesson/${id}`)
    const [notice] = (await page(ann)).notices
    expect(notice).toMatchObject({
      kind: 'points',
      detail: 'shareReturned',
      actor: null,
      // A tenth of 100, twice.
      amount: -20,
      item: { kind: 'lesson', id, title, gone: true },
    })
    expect((await summarise(ann)).filter((line) => line.startsWith('points'))).toHaveLength(1)
  })
  test('a moderator’s action contains the reason and no name', async () => {
    const { id } = await app.publishLesson(ann)
    await buy(bob, id)
    const { id: comment } = await say(bob, id)
    await done(app, admin, `DELETE /comment/delete/${comment}`)
    await done(app, admin, `POST /admin/suspend/${bob.session._id}`, { reason: 'Spam in comments' })
    expect(await summarise(bob)).toEqual([
      'moderation 1 suspended unread',
      'moderation 1 commentDeleted unread',
    ])
    const [notice] = (await page(bob)).notices
    expect(notice).toMatchObject({ actor: null, note: 'Spam in comments' })
    // Suspended people may still read notices and mark them as read.
    await done(app, bob, 'PUT /notice/read', {})
    expect(await unread(bob)).toBe(0)
  })
  test('an erased account gets no notices', async () => {
    const { id } = await app.publishLesson(ann)
    await like(bob, id)
    await settleAll(app)
    await like(eve, id)
    await done(app, ann, 'POST /identity/erase', { password: ann.password })
    await settleAll(app)
    await app.runJobs()
    const of = app.app.database.db.selectFrom('notices').select('id')
    expect(await of.where('user_id', '=', ann.session._id).execute()).toEqual([])
  })
})

describe('reading', () => {
  test('extending a read notice makes it unread again and continues the count', async () => {
    const { id } = await app.publishLesson(ann)
    await like(bob, id)
    const { asOf } = await page(ann)
    await done(app, ann, 'PUT /notice/read', { upTo: asOf })
    expect(await summarise(ann)).toEqual([`liked 1 ${name(bob)} read`])
    await like(eve, id)
    expect(await summarise(ann)).toEqual([`liked 2 ${name(eve)} unread`])
  })
  test('notices that arrived after the page was shown stay unread', async () => {
    const { id } = await app.publishLesson(ann)
    await like(bob, id)
    const { asOf, notices } = await page(ann)
    await like(eve, id)
    await settleAll(app)
    await done(app, ann, 'PUT /notice/read', { upTo: asOf, ids: notices.map((each) => each.id) })
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
    done(app, as, 'PUT /notice/settings', { choices: [{ kind, shown, mail }] })

  test('by default everything is shown, and six kinds are in the daily mail', async () => {
    interface Settings {
      readonly choices: readonly { kind: string; shown: boolean; mail: string }[]
    }
    const settings = await done<Settings>(app, ann, 'GET /notice/settings')
    const initial = { zone: 'UTC', zoneChosen: false, confirmed: false, mails: true }
    expect(settings).toMatchObject(initial)
    const inMail = ['sold', 'rated', 'captions', 'message', 'video', 'moderation']
    for (const { kind, shown, mail } of settings.choices)
      expect([kind, shown, mail]).toEqual([kind, true, inMail.includes(kind) ? 'digest' : 'none'])
  })
  test('the browser’s time zone applies until one is chosen, and again when none is', async () => {
    const zoneAfter = async (json: Record<string, string | null>) => {
      await done(app, ann, 'PUT /notice/settings', json)
      const body = await done<Record<string, unknown>>(app, ann, 'GET /notice/settings')
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
  test('a kind that is turned off creates no notice, and returns when it is turned on', async () => {
    const { id } = await app.publishLesson(ann)
    await choose(ann, 'liked', false, 'none')
    await like(bob, id)
    expect(await summarise(ann)).toEqual([])
    await choose(ann, 'liked', true, 'none')
    await like(eve, id)
    expect(await summarise(ann)).toEqual([`liked 1 ${name(eve)} unread`])
  })
  test('a kind that is only mailed does not count in the product', async () => {
    const { id } = await app.publishLesson(ann)
    await choose(ann, 'liked', false, 'digest')
    await like(bob, id)
    expect(await summarise(ann)).toEqual([])
    expect(await unread(ann)).toBe(0)
  })
})
