/** Tests daily and immediate mails with a real mail server. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { like } from '#server/items/likes/likes.ts'
import { sendDigests } from '#server/community/notices/digests.ts'
import { findLeaks } from '#server/testing/attacks/isolation.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { settleAll } from '#server/testing/learning/notices.ts'
import { setUser } from '#server/testing/rows.ts'
import { openSmtp, readMail } from '#server/testing/mail/smtp.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let ann: Person
let bob: Person
let lesson: { id: number; title: string }
let count = 0
let isAway = false

const smtp = await openSmtp({
  onMailFrom: (_, __, done) => done(isAway ? new Error('come back later') : null),
})
const app = await createTestApp({
  SMTP_URL: smtp.url,
  MAIL_FROM: 'hello@bazaar.test',
  WELCOME_POINTS: '5000',
})
afterAll(async () => {
  await app.close()
  await smtp.close()
})
beforeEach(async () => {
  count += 1
  isAway = false
  ;[ann, bob] = (await Promise.all(
    [`ann${count}`, `bob${count}`].map((name) => app.signUp(name)),
  )) as [Person, Person]
  await giveAddress(ann, true)
  lesson = await app.publishLesson(ann)
  await app.runJobs()
  smtp.mails.length = 0
})
afterEach(() => {
  app.clock.time = null
})

const db = () => app.app.database.db
const giveAddress = (person: Person, confirmed: boolean) =>
  setUser(app, person, {
    email: `${person.session.username}@mail.test`,
    email_confirmed_at: confirmed ? new Date() : null,
  })
const choose = (as: Person, json: unknown) => done(app, as, 'PUT /notice/settings', json)
const readAll = () => done(app, ann, 'PUT /notice/read', {})
/** Clears or sets the checkbox on the account page. */
async function endMails(person: Person, isEnd = true): Promise<void> {
  const form = formOf({ username: person.session.username, notices: `${!isEnd}` })
  await done(app, person, 'PATCH /identity/update', form)
}
/** Sells one of her lessons to him, which creates a notice. */
async function sell(id = lesson.id): Promise<void> {
  await done(app, bob, `POST /lesson/buy/${id}`)
  await settleAll(app)
}
async function sellAnother() {
  app.clock.time = null
  const other = await app.publishLesson(ann)
  await sell(other.id)
  return other
}
/** Advances the clock and runs what is due. */
async function wait(ms: number): Promise<void> {
  app.clock.time = new Date(app.clock.now().getTime() + ms)
  await settleAll(app)
  await sendDigests({ db: db(), clock: app.clock })
  await runMails()
}
/** Runs scheduled and failed jobs immediately. */
async function runMails(): Promise<void> {
  await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`.execute(
    db(),
  )
  await app.runJobs()
}
const mailsOf = (person: Person) =>
  smtp.mails
    .filter(({ to }) => to.includes(`${person.session.username}@mail.test`))
    .map(({ raw }) => readMail(raw))
const waiting = async (person: Person) => {
  const { rows } = await sql<{ state: string }>`
    select state from mails where user_id = ${person.session._id} and subject like 'mailDigest%' order by id`.execute(
    db(),
  )
  return rows.map(({ state }) => state)
}

test('an old title with direction overrides affects neither subject nor amounts', async () => {
  await giveAddress(bob, true)
  await choose(bob, { choices: [{ kind: 'points', shown: true, mail: 'once' }] })
  await done(app, bob, `POST /lesson/buy/${lesson.id}`)
  await sql`update lesson_contents set title = ${'Knots\u202e of ropes'} where lesson_id = ${lesson.id}`.execute(
    db(),
  )
  await done(app, ann, `DELETE /lesson/${lesson.id}`)
  await wait(DAY_MS)
  const [mail] = mailsOf(bob)
  const contents = [mail?.headers['subject'] ?? '', mail?.parts['text/plain'] ?? '']
  for (const text of contents) {
    expect(text).toMatch(/“\u2068Knots of ropes\u2069” was deleted: you got \d+ KB Points back/u)
    expect(findLeaks(text)).toBe(false)
  }
})

describe('the mail of the day', () => {
  test('groups unread notices, and is not sent twice', async () => {
    await settleAll(app)
    await sell()
    await wait(DAY_MS)
    const [mail, ...others] = mailsOf(ann)
    expect(others).toEqual([])
    expect(mail?.parts['text/plain']).toContain(`bob${count} unlocked “${lesson.title}”`)
    expect(mail?.parts['text/plain']).toContain(`${app.url}/lesson/details/${lesson.id}`)
    expect(mail?.parts['text/html']).toContain(`href="${app.url}/lesson/details/${lesson.id}"`)
    await wait(DAY_MS)
    await wait(DAY_MS)
    expect(mailsOf(ann)).toHaveLength(1)
    expect(mailsOf(bob)).toEqual([])
  })
  test('is written once by two concurrent workers', async () => {
    await sell()
    app.clock.time = new Date(Date.now() + DAY_MS)
    await Promise.all(Array.from({ length: 4 }, () => sendDigests({ db: db(), clock: app.clock })))
    await runMails()
    expect(mailsOf(ann)).toHaveLength(1)
  })
  test('is not sent if everything was read meanwhile, even after it was written', async () => {
    await sell()
    await readAll()
    await wait(DAY_MS)
    expect(mailsOf(ann)).toEqual([])
    await sellAnother()
    app.clock.time = new Date(Date.now() + DAY_MS)
    await sendDigests({ db: db(), clock: app.clock })
    expect(await waiting(ann)).toEqual(['waiting'])
    app.clock.time = null
    await readAll()
    await runMails()
    expect(mailsOf(ann)).toEqual([])
    expect(await waiting(ann)).toEqual(['dropped'])
  })
  test.each([
    ['whose address is unconfirmed', () => giveAddress(ann, false)],
    ['who wants no mails', () => endMails(ann)],
    [
      'who wants none of that kind',
      () => choose(ann, { choices: [{ kind: 'sold', shown: true, mail: 'none' }] }),
    ],
  ])('is not sent %s, though the bell shows the notices', async (_, refuse) => {
    await refuse()
    await sell()
    await wait(DAY_MS)
    await wait(DAY_MS)
    expect(mailsOf(ann)).toEqual([])
    app.clock.time = null
    const { body } = await app.call<{ total: number }>('GET', '/notice/all', { as: ann })
    expect(body.total).toBe(1)
  })
  test('is sent once with everything after the mail server was down for two days', async () => {
    isAway = true
    await sell()
    await wait(DAY_MS)
    expect(await waiting(ann)).toEqual(['waiting'])
    const other = await sellAnother()
    await wait(3 * DAY_MS)
    expect(await waiting(ann)).toEqual(['dropped', 'waiting'])
    isAway = false
    await wait(HOUR_MS)
    const [mail, ...others] = mailsOf(ann)
    expect(others).toEqual([])
    expect(mail?.parts['text/plain']).toContain(lesson.title)
    expect(mail?.parts['text/plain']).toContain(other.title)
  })
  test('is in the language of its reader', async () => {
    await setUser(app, ann, { locale: 'bg' })
    await sell()
    await wait(DAY_MS)
    expect(mailsOf(ann)[0]?.parts['text/plain']).toContain(`отключи „${lesson.title}“`)
  })
})

describe('one click', () => {
  const oneClick = async (address: string | undefined) =>
    fetch(address ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
      redirect: 'manual',
    })

  test('from the header ends all mails, using only the mail', async () => {
    await sell()
    await wait(DAY_MS)
    const { headers } = mailsOf(ann)[0] ?? { headers: {} as Record<string, string> }
    expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    const address = /^<(http[^>]+)>$/.exec(headers['list-unsubscribe'] ?? '')?.[1]
    expect((await oneClick(address)).status).toBe(204)
    app.clock.time = null
    const { body } = await app.call<{ mails: boolean }>('GET', '/notice/settings', { as: ann })
    expect(body.mails).toBe(false)
    smtp.mails.length = 0
    await sellAnother()
    await wait(2 * DAY_MS)
    await wait(DAY_MS)
    expect(mailsOf(ann)).toEqual([])
  })
  test('for a kind ends that kind, and the others continue', async () => {
    await sell()
    await wait(DAY_MS)
    const text = mailsOf(ann)[0]?.parts['text/plain'] ?? ''
    const address = /^Unsubscribe: Unlocks: (http\S+)$/m.exec(text)?.[1]
    expect((await oneClick(address)).status).toBe(204)
    app.clock.time = null
    smtp.mails.length = 0
    await sellAnother()
    await done(app, bob, 'POST /message/create', {
      text: 'Hello',
      receiverUsername: ann.session.username,
    })
    await wait(2 * DAY_MS)
    await wait(DAY_MS)
    const [mail] = mailsOf(ann)
    expect(mail?.parts['text/plain']).toContain('wrote to you')
    expect(mail?.parts['text/plain']).not.toContain('unlocked')
  })
})

test('an immediately mailed kind is mailed once until it is read', async () => {
  await choose(ann, { choices: [{ kind: 'liked', shown: true, mail: 'once' }] })
  const by = (person: Person) =>
    like(
      { db: db(), clock: app.clock },
      { userId: person.session._id, kind: 'lesson', itemId: lesson.id },
    )
  await by(bob)
  await wait(0)
  await by(await app.signUp(`eve${count}`))
  await wait(0)
  const [mail, ...others] = mailsOf(ann)
  expect(others).toEqual([])
  expect(mail?.headers['subject']).toContain(`bob${count} likes`)
  expect(mail?.headers['list-unsubscribe']).toContain('.liked.')
  app.clock.time = null
  await readAll()
  await by(await app.signUp(`fay${count}`))
  await wait(0)
  expect(mailsOf(ann)).toHaveLength(2)
})

test('an immediately mailed kind respects unconfirmed addresses and people who want no mails', async () => {
  await choose(ann, { choices: [{ kind: 'liked', shown: true, mail: 'once' }] })
  const liked = async (name: string) => {
    app.clock.time = null
    await readAll()
    const person = await app.signUp(`${name}${count}`)
    await done(app, person, `POST /lesson/like/${lesson.id}`)
    await wait(0)
  }
  await giveAddress(ann, false)
  await liked('gil')
  await giveAddress(ann, true)
  await endMails(ann)
  await liked('hana')
  expect(mailsOf(ann)).toEqual([])
  await endMails(ann, false)
  await liked('ivo')
  expect(mailsOf(ann).map(({ headers }) => headers['subject'])).toEqual([
    expect.stringContaining(`ivo${count}`),
  ])
})
