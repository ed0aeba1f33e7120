import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import type { FormError } from '#contract/errors.ts'
import type { LessonCard } from '#contract/lessons.ts'
import type { OwnProfile } from '#contract/profiles.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import { skeleton } from '#server/kernel/text/fold.ts'
import { createTestApp, testPicture, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { setUser } from '#server/testing/rows.ts'

let person: Person
let other: Person
let count = 0
const DAY_MS = 24 * 60 * 60 * 1000

const app = await createTestApp()
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.time = null
  count += 1
  person = await app.signUp(`person${count}`)
  other = await app.signUp(`other${count}`)
})

type Fields = Record<string, string | File | null>
type Edited = OwnProfile & { session: Session }

const patch = (as: Person, fields: Fields) =>
  app.call<Edited>('PATCH', '/identity/update', { as, form: formOf(fields) })
const save = (as: Person, change: Fields = {}, method = 'POST') => {
  const { username, email } = as.session
  return app.call<Edited>(method, '/identity/update', {
    as,
    form: formOf({ username, email, ...change }),
  })
}
const fieldsOf = (answer: { status: number; body: unknown }) => ({
  status: answer.status,
  fields: Array.isArray(answer.body)
    ? (answer.body as FormError[]).map(({ field }) => field)
    : answer.body,
})
const refusedAt = (...fields: string[]) => ({ status: 400, fields })
const takenAt = (...fields: string[]) => ({ status: 409, fields })
const named = (as: Person, name: string) =>
  app.call<ProfileCard>('GET', `/identity/named/${encodeURIComponent(name)}`, { as })
const own = (as: Person) => done<OwnProfile>(app, as, `GET /identity/profile/${as.session._id}`)

describe('an edit is refused', () => {
  it.each(['POST', 'PUT'])('without name and address by %s', async (method) => {
    const change = { username: null, email: null }
    expect(fieldsOf(await save(person, change, method))).toEqual(refusedAt('username', 'email'))
  })
  it.each([
    ['a new name of 2 letters', { username: 'ab' }, 'username'],
    ['a name in two scripts', { username: 'аnnabel' }, 'username'],
    ['a text called picture', { image: new File(['no picture'], 'a.jpg') }, 'image'],
    ['a wrong password', { password: 'not the one' }, 'password'],
  ])('with %s', async (_, change: Fields, field) => {
    const before = await own(person)
    expect(fieldsOf(await save(person, change))).toEqual(refusedAt(field))
    expect(await own(person)).toEqual(before)
  })
  it('with the address of another person in other case', async () => {
    const email = other.session.email.toUpperCase()
    expect(fieldsOf(await patch(person, { email }))).toEqual(takenAt('email'))
  })
  it.each([
    ['in other case', (name: string) => name.toUpperCase()],
    ['that only looks like it', (name: string) => name.replace('o', '0')],
  ])('with the name of another person %s', async (_, disguise) => {
    const username = disguise(other.session.username)
    expect(skeleton(username)).toBe(skeleton(other.session.username))
    expect(fieldsOf(await patch(person, { username }))).toEqual(takenAt('username'))
  })
  it('when two people try to swap their names', async () => {
    const names = [person.session.username, other.session.username]
    await patch(person, { username: `${names[0]}x` })
    expect(fieldsOf(await patch(other, { username: names[0] ?? '' }))).toEqual(takenAt('username'))
  })
  it('after twenty names given up in 180 days', async () => {
    for (let turn = 0; turn < 20; turn += 1)
      expect((await patch(person, { username: `many${count}x${turn}` })).status).toBe(200)
    expect(fieldsOf(await patch(person, { username: `many${count}last` }))).toEqual(
      refusedAt('username'),
    )
    // A person's own former name is not a new one.
    expect((await patch(person, { username: `many${count}x3` })).status).toBe(200)
  })
})

describe('a name', () => {
  it('appears immediately on cards, in the session and the profile', async () => {
    const { id } = await app.publishLesson(person)
    const username = `Нова${count}`
    const { status, body } = await patch(person, { username })
    expect([status, body.username, body.session.username]).toEqual([200, username, username])
    const lesson = await app.call<LessonCard>('GET', `/lesson/${id}`)
    expect(lesson.body.ownerName).toBe(username)
    const headers = { cookie: person.cookie, origin: app.url }
    const renewed = await app.call<Session>('POST', '/identity/refresh', { headers })
    expect(renewed.body.username).toBe(username)
  })
  it('that is unchanged is accepted, whatever its length and case', async () => {
    const short = await app.signUp(`q${count % 10}`)
    expect((await save(short)).status).toBe(200)
    const { status, body } = await patch(short, { username: short.session.username.toUpperCase() })
    expect([status, body.username]).toEqual([200, `Q${count % 10}`])
  })
  it('given up stays its person’s for 180 days', async () => {
    const { username } = person.session
    await patch(person, { username: `${username}new` })
    expect(fieldsOf(await patch(other, { username }))).toEqual(takenAt('username'))
    expect((await patch(person, { username })).status).toBe(200)
    await patch(person, { username: `${username}new` })
    app.clock.time = new Date(Date.now() + 181 * DAY_MS)
    const late = await app.signUp(`late${count}`)
    expect((await patch(late, { username })).status).toBe(200)
  })
  it('finds its person, current or former, in any case', async () => {
    const { username, _id } = person.session
    await patch(person, { username: `${username}new` })
    for (const name of [username, username.toUpperCase(), `${username}NEW`])
      expect((await named(other, name)).body.id).toBe(_id)
    expect((await named(other, 'nobody at all')).status).toBe(404)
    app.clock.time = new Date(Date.now() + 181 * DAY_MS)
    expect((await named(await app.signUp(`later${count}`), username)).status).toBe(404)
  })
  it('requested by fifty at once goes to exactly one', async () => {
    const crowd = await Promise.all(
      Array.from({ length: 50 }, (_, place) => app.signUp(`crowd${count}x${place}`)),
    )
    const answers = await Promise.all(
      crowd.map((each) => patch(each, { username: `Wanted${count}` })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49)
  })
  it('given up can not be taken at the same moment', async () => {
    const { username } = person.session
    const form = formOf({
      username,
      email: `taker${count}@people.example`,
      password: 'correct horse',
      image: await testPicture(),
    })
    const [taken] = await Promise.all([
      app.call('POST', '/identity/register', { form }),
      patch(person, { username: `${username}new` }),
    ])
    expect(taken.status).toBe(409)
  })
})

describe('an address', () => {
  const readAddresses = async (as: Person) =>
    app.app.database.db
      .selectFrom('users')
      .select(['email', 'email_confirmed_at', 'previous_email', 'previous_email_confirmed_at'])
      .where('id', '=', as.session._id)
      .executeTakeFirstOrThrow()
  const confirmed = new Date('2026-11-01T00:00:00Z')
  const confirm = () => setUser(app, person, { email_confirmed_at: confirmed })

  it('is immediately visible to its owner as unconfirmed', async () => {
    await confirm()
    expect((await own(person)).emailConfirmed).toBe(true)
    const email = `new${count}@people.example`
    const { body } = await patch(person, { email, password: person.password })
    expect([body.email, body.emailConfirmed, body.session.email]).toEqual([email, false, email])
  })
  it('preserves the previous one, over several changes', async () => {
    await confirm()
    await patch(person, { email: `second${count}@people.example` })
    await patch(person, { email: `third${count}@people.example` })
    expect(await readAddresses(person)).toEqual({
      email: `third${count}@people.example`,
      email_confirmed_at: null,
      previous_email: person.session.email,
      previous_email_confirmed_at: confirmed,
    })
    const { email } = person.session
    expect(fieldsOf(await patch(other, { email }))).toEqual(takenAt('email'))
  })
  it('is restored when its owner returns to it', async () => {
    await confirm()
    await patch(person, { email: `second${count}@people.example` })
    await patch(person, { email: person.session.email })
    expect(await readAddresses(person)).toEqual({
      email: person.session.email,
      email_confirmed_at: confirmed,
      previous_email: null,
      previous_email_confirmed_at: null,
    })
  })
  it('that only changes its case stays confirmed', async () => {
    await confirm()
    const email = person.session.email.toUpperCase()
    const { body } = await patch(person, { email })
    expect([body.email, body.emailConfirmed]).toEqual([email, true])
  })
})

describe('a picture', () => {
  it('replaces the old one everywhere', async () => {
    const { id } = await app.publishLesson(person)
    const before = person.session.imageUrl
    const image = new File([await testPicture(), new Uint8Array(1)], 'new.jpg')
    const { body } = await patch(person, { image })
    expect(body.imageUrl).not.toBe(before)
    expect(body.session.imageUrl).toBe(body.imageUrl)
    const lesson = await app.call<LessonCard>('GET', `/lesson/${id}`)
    expect(lesson.body.ownerImage).toBe(body.imageUrl)
  })
})

describe('an absent field', () => {
  it('preserves the picture, and the setting that hides the address', async () => {
    expect((await patch(person, { hideEmail: 'on' })).body.hideEmail).toBe(true)
    const { body } = await save(person)
    expect([body.hideEmail, body.imageUrl]).toEqual([true, person.session.imageUrl])
    expect((await patch(person, { hideEmail: 'false' })).body.hideEmail).toBe(false)
  })
  it('preserves name and address with PATCH', async () => {
    const { body } = await patch(person, { hideEmail: 'on' })
    expect([body.username, body.email]).toEqual([person.session.username, person.session.email])
  })
})

it('applies two concurrent edits of one person', async () => {
  const email = `both${count}@people.example`
  const answers = await Promise.all([
    patch(person, { username: `both${count}` }),
    patch(person, { email }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const { username, email: now } = await own(person)
  expect([username, now]).toEqual([`both${count}`, email])
})

it('returns a token of the same session', async () => {
  const { body } = await save(person)
  await done(app, person, 'POST /identity/sessions/revoke')
  const as = { ...person, session: body.session }
  await done(app, as, 'GET /identity/points')
})

it('names stay unique over any history of renames', { timeout: 60_000 }, async () => {
  const people = [person, other, await app.signUp(`third${count}`)]
  const names = ['Ivana', 'lvana', 'IVANA', 'rnaria', 'Maria', 'mаrіа'.replace('m', 'м'), 'петър']
  const renames = fc.array(fc.tuple(fc.nat(people.length - 1), fc.constantFrom(...names)), {
    minLength: 1,
    maxLength: 8,
  })
  await fc.assert(
    fc.asyncProperty(renames, async (history) => {
      await Promise.all(
        history.map(async ([who, username]) => {
          const as = people[who]
          if (as !== undefined)
            expect([200, 400, 409]).toContain((await patch(as, { username })).status)
        }),
      )
      const { rows } = await app.app.database.pool.query<{ holders: number }>(`
        select count(distinct user_id) as holders from (
          select username_skeleton, id as user_id from users
          union all select username_skeleton, user_id from former_usernames
        ) held group by username_skeleton`)
      expect(rows.every(({ holders }) => holders === 1)).toBe(true)
    }),
    { numRuns: 15, endOnFailure: true },
  )
})
