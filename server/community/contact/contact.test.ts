import fc from 'fast-check'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Problem } from '#contract/errors.ts'
import { type BugReport, Letter } from '#contract/mail.ts'
import { lockIdentity, writeConfirmedAddress } from '#server/people/accounts/identity.ts'
import { createTestApp, type Answer, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { whileHolding } from '#server/testing/learning/waiting.ts'
import { addPeople } from '#server/testing/people.ts'
import { setUser } from '#server/testing/rows.ts'

const OWNER = 'owner@knowledge-bazaar.example'
const TEXT = 'How do you tie the last of the knots?'

let bob: Person
const app = await createTestApp({ RATE_LIMITS: 'on', REPORT_ALIASES: 'old@bazaar.example' })
const db = app.app.database.db
const ann = await app.signUp('ann')
const { id: lesson } = await app.publishLesson(ann, { title: 'Bowline' })
afterAll(() => app.close())

/** Returns a new person. Real registrations would hit the limit per address. */
async function meet(): Promise<Person> {
  const [person] = await addPeople(app, 1)
  if (person === undefined) throw new Error('nobody')
  return person
}

beforeEach(async () => {
  await db.deleteFrom('letter_attempts').execute()
  await db.deleteFrom('mails').execute()
  await db.deleteFrom('bug_reports').execute()
  await db.deleteFrom('person_blocks').execute()
  app.clock.time = new Date(Date.UTC(2026, 10, 21, 12))
  bob = await meet()
})

let words = 0
interface Sent {
  readonly as?: Person | undefined
  readonly [field: string]: unknown
}
/** Each letter has a new text, so that none counts as a double click. */
function send({ as, ...change }: Sent = {}): Promise<Answer<Problem>> {
  words += 1
  const json = {
    senderEmail: 'who@people.example',
    topic: 'A question',
    emailText: `${TEXT} ${words}`,
    ...change,
  }
  return app.call('POST', '/email/send', { as, json })
}
const mails = () => db.selectFrom('mails').selectAll().orderBy('id').execute()
const bugs = () => db.selectFrom('bug_reports').selectAll().execute()
const emailOf = async (person: Person) => {
  const { _id } = person.session
  const of = db.selectFrom('users').select('email').where('id', '=', _id)
  return (await of.executeTakeFirstOrThrow()).email
}
const confirm = (person: Person, confirmed = true) =>
  setUser(app, person, { email_confirmed_at: confirmed ? new Date() : null })

async function refused(sent: Sent, status: number, field?: string): Promise<void> {
  const { status: answered, body } = await send(sent)
  expect([answered, Object.keys(body.errors ?? {})]).toEqual([
    status,
    field === undefined ? [] : [field],
  ])
  expect([await mails(), await bugs()]).toEqual([[], []])
}

test("a stranger's address is refused and nothing queued", async () => {
  const ownerEmail = 'stranger@people.example'
  for (const sent of [
    { as: bob, ownerEmail },
    { ownerEmail },
    // Setting a kind doesn't lift the restriction.
    { as: bob, ownerEmail, kind: 'report' },
    { as: bob, ownerEmail: await emailOf(ann), kind: 'report' },
    { as: bob, ownerEmail: 'not an address' },
  ])
    await refused(sent, 400, 'ownerEmail')
})

test('a person without lessons counts as a stranger too', async () => {
  const carl = await meet()
  await refused({ as: bob, ownerEmail: await emailOf(carl) }, 400, 'ownerEmail')
  const { id } = await app.publishLesson(carl)
  await done(app, carl, `DELETE /lesson/${id}`)
  await refused({ as: bob, ownerEmail: await emailOf(carl) }, 400, 'ownerEmail')
  await refused({ as: bob, lessonId: id }, 404)
})

test('a guest can not write to owners, by lesson or address', async () => {
  for (const sent of [{ lessonId: lesson }, { kind: 'contact' }]) await refused(sent, 401)
  // The same answer as for an unknown address, so that it doesn't reveal whose it is.
  await refused({ ownerEmail: await emailOf(ann) }, 400, 'ownerEmail')
})

test('signed-in people must name a recipient other than themselves', async () => {
  await refused({ as: bob }, 400, 'ownerEmail')
  await refused({ as: bob, lessonId: 999_999 }, 404)
  await refused({ as: ann, lessonId: lesson }, 400, 'lessonId')
  await refused({ as: ann, ownerEmail: await emailOf(ann) }, 400, 'ownerEmail')
})

test('blocked people are refused each time, and not treated as a double click', async () => {
  await done(app, ann, `POST /identity/block/${bob.session._id}`)
  await refused({ as: bob, ownerEmail: await emailOf(ann) }, 403)
  const emailText = `${TEXT} Once.`
  for (let n = 0; n < 2; n += 1) await refused({ as: bob, lessonId: lesson, emailText }, 403)
})

test('a letter goes to the owner, and replies go to its writer', async () => {
  await confirm(ann)
  const text = `<b>Hello</b> <script>alert(1)</script> & ${TEXT}`
  const { status, body } = await send({ as: bob, lessonId: lesson, emailText: text })
  expect([status, body]).toEqual([202, {}])
  const [mail, ...more] = await mails()
  expect(more).toEqual([])
  expect(mail).toMatchObject({
    kind: 'letter',
    state: 'waiting',
    user_id: ann.session._id,
    address: await emailOf(ann),
    reply_to: 'who@people.example',
    subject: 'A question',
    notice: null,
  })
  const [ours = '', theirs] = mail?.text?.split(/\n-{64}\n\n/) ?? []
  expect(theirs).toBe(text)
  expect(ours).toContain(`${bob.session.username} wrote to you`)
  expect(ours).toContain('“Bowline”')
  expect(ours).toContain(`${app.url}/lesson/details/${lesson}`)
  expect(ours).toContain(`${app.url}/profile/${bob.session._id}`)
  expect(ours).toContain('who@people.example')
  expect(await bugs()).toEqual([])
})

test('our text is in the language of the reader', async () => {
  await setUser(app, ann, { locale: 'bg' })
  await send({ as: bob, lessonId: lesson })
  await setUser(app, ann, { locale: 'en' })
  const [mail] = await mails()
  expect(mail?.text).toContain('Ви писа чрез Базар на знания за Вашия урок „Bowline“.')
  expect(mail?.locale).toBe('bg')
})

test("the lesson's owner takes precedence over the address", async () => {
  const carl = await meet()
  await app.publishLesson(carl)
  const ownerEmail = await emailOf(carl)
  for (const email of [ownerEmail, 'no@people.example', OWNER])
    expect((await send({ as: bob, lessonId: lesson, ownerEmail: email })).status).toBe(202)
  expect((await mails()).map(({ user_id: id }) => id)).toEqual(Array(3).fill(ann.session._id))
})

test("an owner's address is enough, in any case", async () => {
  const ownerEmail = (await emailOf(ann)).toUpperCase()
  expect((await send({ as: bob, lessonId: '', ownerEmail })).status).toBe(202)
  const [mail] = await mails()
  expect(mail).toMatchObject({ user_id: ann.session._id, address: await emailOf(ann) })
  expect(mail?.text).not.toContain('Bowline')
})

test('while a change is unconfirmed, letters go to the previous address', async () => {
  const before = await emailOf(ann)
  await setUser(app, ann, {
    email: 'new@people.example',
    email_folded: 'new@people.example',
    email_confirmed_at: null,
    previous_email: before,
    previous_email_folded: before,
    previous_email_confirmed_at: new Date(),
  })
  for (const ownerEmail of [before, 'new@people.example'])
    expect((await send({ as: bob, ownerEmail })).status).toBe(202)
  await setUser(app, ann, {
    email: before,
    email_folded: before,
    previous_email: null,
    previous_email_folded: null,
    previous_email_confirmed_at: null,
  })
  expect((await mails()).map(({ address, state }) => [address, state])).toEqual(
    Array(2).fill([before, 'waiting']),
  )
})

test('a letter to an unconfirmed address is held', async () => {
  await confirm(ann, false)
  expect((await send({ as: bob, lessonId: lesson })).status).toBe(202)
  expect((await mails()).map(({ state }) => state)).toEqual(['held'])
})

test('a letter during a confirmation is not held', async () => {
  await confirm(ann, false)
  const { _id, email } = ann.session
  const { status } = await whileHolding(
    db,
    async (tx) => {
      await lockIdentity(tx, _id)
      await writeConfirmedAddress(tx, _id, email, new Date())
    },
    () => send({ as: bob, lessonId: lesson }),
  )
  expect(status).toBe(202)
  expect((await mails()).map(({ state }) => state)).toEqual(['waiting'])
})

test('a letter is dropped if its writer is silenced before it is sent', async () => {
  const [blocked, suspended, erased, heard] = [await meet(), await meet(), await meet(), bob]
  for (const writer of [blocked, suspended, erased, heard])
    expect((await send({ as: writer, lessonId: lesson })).status).toBe(202)
  // Anybody may report a problem, even suspended people.
  expect((await send({ as: suspended, kind: 'report' })).status).toBe(202)
  await done(app, ann, `POST /identity/block/${blocked.session._id}`)
  await setUser(app, suspended, { suspended_at: new Date() })
  await setUser(app, erased, { erased_at: new Date() })
  // Mails to addresses that never receive mail are kept.
  await app.runJobs()
  expect((await mails()).map(({ state, text }) => [state, text === null])).toEqual([
    ...Array(3).fill(['dropped', true]),
    ['kept', false],
    ['kept', false],
  ])
})

test('beyond twenty per day, letters are postponed to the next days', async () => {
  const writers = await addPeople(app, 9)
  for (let n = 0; n < 45; n += 1)
    expect((await send({ as: writers[n % 9], lessonId: lesson })).status).toBe(202)
  const days = async () => (await mails()).map(({ send_after: at }) => at.getUTCDate())
  const expected = [...Array(20).fill(21), ...Array(20).fill(22), ...Array(5).fill(23)]
  expect(await days()).toEqual(expected)
  // The next day's limit is already used up.
  app.clock.time = new Date(Date.UTC(2026, 10, 22, 0, 10))
  await send({ as: bob, lessonId: lesson })
  expect((await days()).at(-1)).toBe(23)
})

test('one sender gets at most five places per day, and others can still write', async () => {
  const [first, other] = await addPeople(app, 2)
  const start = Date.UTC(2026, 10, 21, 1)
  for (let n = 0; n < 20; n += 1) {
    app.clock.time = new Date(start + n * 30 * 60_000)
    expect((await send({ as: first, lessonId: lesson })).status).toBe(202)
  }
  await send({ as: other, lessonId: lesson })
  const days = (await mails()).map(({ send_after: at }) => at.getUTCDate())
  expect(days).toEqual([21, 22, 23, 24].flatMap((day) => Array(5).fill(day)).concat(21))
})

test('the sixth within an hour is refused until it has passed', async () => {
  const start = Date.UTC(2026, 10, 21, 12)
  for (let n = 0; n < 5; n += 1) {
    app.clock.time = new Date(start + n * 60_000)
    // Refused attempts count.
    const sent = n === 2 ? { ownerEmail: 'stranger@people.example' } : { lessonId: lesson }
    expect((await send({ as: bob, ...sent })).status).toBe(n === 2 ? 400 : 202)
  }
  // Invalid forms don't count.
  expect((await send({ as: bob, lessonId: lesson, topic: '' })).status).toBe(400)
  const { status, headers, body } = await send({ as: bob, lessonId: lesson })
  expect([status, headers.get('retry-after')]).toEqual([429, String(56 * 60)])
  expect(body.title).toMatch(/^You’ve written 5 e-mails in an hour.*in 56 minutes\.$/)
  expect((await send({ as: bob, kind: 'report' })).status).toBe(429)
  expect(await mails()).toHaveLength(4)
  // Other people are not affected.
  expect((await send()).status).toBe(202)
  app.clock.time = new Date(start + 60 * 60_000)
  expect((await send({ as: bob, lessonId: lesson })).status).toBe(202)
  expect((await send({ as: bob, lessonId: lesson })).status).toBe(429)
})

test('concurrent requests can not exceed the limit', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => send({ as: n % 2 ? bob : undefined, kind: 'report' })),
  )
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(10)
  expect([(await mails()).length, (await bugs()).length]).toEqual([10, 10])
})

test('a double click sends one mail', async () => {
  const emailText = `${TEXT} Once.`
  const twice = await Promise.all([1, 2].map(() => send({ as: bob, lessonId: lesson, emailText })))
  expect(twice.map(({ status }) => status)).toEqual([202, 202])
  expect(await mails()).toHaveLength(1)
  await send({ as: bob, lessonId: lesson, emailText: `${emailText} ` })
  expect(await mails()).toHaveLength(1)
  app.clock.time = new Date(Date.UTC(2026, 10, 21, 12, 1))
  await send({ as: bob, lessonId: lesson, emailText })
  expect(await mails()).toHaveLength(2)
})

test("a guest's report is stored and mailed to the product owner", async () => {
  expect((await send({ topic: 'Broken <b>', emailText: `<i>${TEXT}</i>` })).status).toBe(202)
  expect(await bugs()).toMatchObject([
    {
      user_id: null,
      sender_email: 'who@people.example',
      topic: 'Broken <b>',
      text: `<i>${TEXT}</i>`,
    },
  ])
  const [mail] = await mails()
  expect(mail).toMatchObject({
    kind: 'report',
    state: 'waiting',
    user_id: null,
    address: OWNER,
    reply_to: 'who@people.example',
    subject: 'Broken <b>',
    locale: 'en',
  })
  expect(mail?.text).toContain('A guest reported a problem')
  expect(mail?.text?.endsWith(`\n\n<i>${TEXT}</i>`)).toBe(true)
})

test("mail to the product owner's address and its aliases is a report", async () => {
  for (const ownerEmail of [OWNER, OWNER.toUpperCase(), 'old@bazaar.example'])
    for (const as of [bob, undefined])
      expect((await send({ ...(as && { as }), ownerEmail })).status).toBe(202)
  expect((await mails()).map(({ address }) => address)).toEqual(Array(6).fill(OWNER))
  expect((await bugs()).filter(({ user_id: id }) => id === bob.session._id)).toHaveLength(3)
})

test('a report is not stored if its mail can not be queued', async () => {
  await app.app.database.pool.query(
    'alter table mails add constraint no_mail check (id < 0) not valid',
  )
  expect((await send({ as: bob, kind: 'report' })).status).toBe(500)
  await app.app.database.pool.query('alter table mails drop constraint no_mail')
  expect([await bugs(), await mails()]).toEqual([[], []])
})

test('administrators see the reports, close them and reopen them', async () => {
  await send({ as: bob, kind: 'report', topic: 'First' })
  await send({ topic: 'Second' })
  const admin = await meet()
  await setUser(app, admin, { role: 'administrator' })
  const list = (query = '') => done<BugReport[]>(app, admin, `GET /admin/bugs${query}`)
  const open = await list()
  expect(open.map(({ topic, userName, done }) => [topic, userName, done])).toEqual([
    ['Second', null, null],
    ['First', bob.session.username, null],
  ])
  expect(open.map(({ profilePicture }) => profilePicture)).toEqual([null, bob.session.imageUrl])
  const id = open[0]?.id ?? 0
  const mark = (done: boolean, of = id) =>
    app.call<BugReport>('POST', `/admin/bugs/${of}`, { as: admin, json: { done } })

  expect((await mark(true, 999_999)).status).toBe(404)
  const { username } = admin.session
  // The second time changes nothing and is not logged.
  const closed = { date: '2026-11-21T12:00:00.000Z', userName: username }
  for (let n = 0; n < 2; n += 1) expect((await mark(true)).body.done).toEqual(closed)
  expect((await list()).map(({ topic }) => topic)).toEqual(['First'])
  expect((await list('?done=1')).map(({ topic }) => topic)).toEqual(['Second'])
  expect(await list('?done=1&page=2')).toEqual([])
  expect((await mark(false)).body.done).toBeNull()
  const log = await db
    .selectFrom('moderation_log')
    .select(['action', 'subject', 'subject_id'])
    .orderBy('id')
    .execute()
  const subject = { subject: 'Second', subject_id: `${id}` }
  expect(log).toEqual(['bugDone', 'bugReopened'].map((action) => ({ action, ...subject })))
})

test('what passes the form fits on one line of a header', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\r\n', '\n', '\r', '\u2028', '\0', '\u0085', ' '),
  )
  const line = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join('Bcc: b@x.example'))
  const email = fc.tuple(line, line).map(([start, end]) => `${start}a@x.example${end}`)
  fc.assert(
    fc.property(
      fc.oneof(line, fc.string({ maxLength: 20 })),
      fc.oneof(email, fc.emailAddress()),
      (topic, senderEmail) => {
        const read = Letter.safeParse({ senderEmail, topic, emailText: TEXT })
        if (!read.success) return
        for (const header of [read.data.topic, read.data.senderEmail])
          expect(header).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
        expect(read.data.senderEmail).toMatch(/^[^\s,<>"()]+@[^\s,<>"()@]+$/)
      },
    ),
  )
})
