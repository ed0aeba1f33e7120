import { afterAll, describe, expect, test } from 'vitest'
import type { Certificate, OwnCertificate, TowardsCertificate } from '#contract/certificates.ts'
import type { Problem } from '#contract/errors.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { CAPITAL, checksOf, RIVERS } from '#server/testing/learning/self-checks.ts'
import { finishCourse, tickOff, unlockCourse } from '#server/testing/learning/finishing.ts'
import { setUser } from '#server/testing/rows.ts'

const app = await createTestApp()
const ann = await app.signUp('ann')
const course = await app.publishCourse(ann, { title: 'Bread' })
const ids = course.lessons.map(({ id }) => id)
afterAll(() => app.close())

const take = (as: Person | undefined, courseId: number, name: unknown = 'Bob B. Baker') =>
  app.call<{ code: string; missing: TowardsCertificate['missing'] } & Problem>(
    'POST',
    `/certificate/course/${courseId}`,
    { as, json: { name } },
  )
const show = (code: string, as?: Person) => done<Certificate>(app, as, `GET /certificate/${code}`)
const towards = (as: Person, courseId: number) =>
  app.call<TowardsCertificate>('GET', `/certificate/course/${courseId}`, { as })
const yours = async (as: Person) =>
  (
    await app.call<{ certificates: OwnCertificate[]; total: number }>('GET', '/certificate/yours', {
      as,
    })
  ).body
const remove = async (as: Person, code: string, reason = '') =>
  (await app.call('DELETE', `/certificate/${code}?reason=${encodeURIComponent(reason)}`, { as }))
    .status

/** Signs up a person who has finished the course. */
async function graduate(name: string, of = course): Promise<Person> {
  const person = await app.signUp(name)
  await finishCourse(app, person, of)
  return person
}
async function holder(name: string): Promise<{ person: Person; code: string }> {
  const person = await graduate(name)
  const { status, body } = await take(person, course.id, `${name} of Sofia`)
  expect(status).toBe(200)
  return { person, code: body.code }
}

const admin = await app.signUp('desk')
await setRole(app.app.database.db, 'desk', 'administrator')

describe('a certificate is refused', () => {
  test('for a course that does not exist', async () => {
    expect((await take(await app.signUp('nobody'), 999_999)).status).toBe(404)
  })
  test('to the author of the course, who can still see the progress', async () => {
    await tickOff(app, ann, ids)
    expect((await take(ann, course.id)).status).toBe(403)
  })
  test('while lessons are missing, which the refusal names', async () => {
    const bob = await app.signUp('half')
    await unlockCourse(app, bob, course.id)
    await tickOff(app, bob, ids.slice(0, 4))
    const { status, body } = await take(bob, course.id)
    expect(status).toBe(409)
    expect(body.title).toBe('The course isn’t finished: 4 of 6 lessons are done.')
    expect(body.missing).toEqual(
      course.lessons.slice(4).map(({ id, title }) => ({ id, title, what: 'lesson' })),
    )
    const { body: left } = await towards(bob, course.id)
    expect(left).toMatchObject({ done: 4, total: 6, taken: null })
    expect(left.missing).toEqual(
      course.lessons.slice(4).map(({ id, title }) => ({ id, title, what: 'lesson' })),
    )
    // A lesson that was unticked again is missing too.
    await tickOff(app, bob, ids.slice(4))
    await done(app, bob, `PUT /progress/${ids[0] ?? 0}`, { done: false })
    expect((await take(bob, course.id)).status).toBe(409)
  })
  test('while a self-check was not passed, whose lesson the refusal names', async () => {
    const checks = checksOf(app, () => ann)
    const asking = [await checks.publish(), await checks.publish([CAPITAL])]
    const [one = 0, two = 0] = asking
    const made = await app.publishCourse(ann, { lessons: [...asking, ...ids.slice(0, 4)] })
    const bob = await graduate('unsure', made)
    const missing = async () => (await take(bob, made.id)).body.missing
    const unpassed = (id: number) => expect.objectContaining({ id, what: 'check' }) as unknown
    expect(await missing()).toEqual([unpassed(one), unpassed(two)])
    await checks.take(one, [[1], [0]], bob)
    await checks.take(two, [[1]], bob)
    expect(await missing()).toEqual([unpassed(one)])
    await done(app, bob, `PUT /progress/${one}`, { done: false })
    expect((await towards(bob, made.id)).body).toMatchObject({
      done: 5,
      total: 6,
      missing: [
        {
          id: one,
          what: 'lesson',
        },
        {
          id: one,
          what: 'check',
        },
      ],
    })
    await tickOff(app, bob, [one])
    await checks.take(one, [[1], [0, 2]], bob)
    expect((await take(bob, made.id)).status).toBe(200)
    // Questions added later don't affect the certificate.
    await checks.change(two, [CAPITAL, RIVERS])
    expect((await take(bob, made.id)).status).toBe(200)
  })
  test('in a name that can not be printed', async () => {
    const bob = await graduate('nameless')
    for (const name of ['', 'B', 7, null, 'Bob\nBaker']) {
      const { status, body } = await take(bob, course.id, name)
      expect([name, status]).toEqual([name, 400])
      expect(body.errors).toHaveProperty('name')
    }
    expect((await towards(bob, course.id)).body.taken).toBe(null)
  })
})

test('a person who finished the course takes one, and taking it again returns the same, whatever name is given', async () => {
  const bob = await graduate('bob')
  const { status, body } = await take(bob, course.id, '  Bob   B.\u00a0Baker ')
  expect(status).toBe(200)
  expect(body.code).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/)
  expect((await take(bob, course.id, 'Somebody Else')).body.code).toBe(body.code)
  const shown = await show(body.code)
  expect(shown).toMatchObject({
    code: body.code,
    state: 'valid',
    name: 'Bob B. Baker',
    author: 'ann',
    listed: false,
    courseId: course.id,
    courseTitle: 'Bread',
    courseThere: true,
    lessons: course.lessons.map(({ title }) => title),
    can: {
      withdraw: false,
      list: false,
      revoke: false,
    },
  })
  // As typed from paper.
  expect(await show(body.code.toUpperCase())).toEqual(shown)
  expect((await show(body.code, bob)).can).toEqual({ withdraw: true, list: true, revoke: false })
  expect((await towards(bob, course.id)).body.taken).toEqual({ code: body.code, state: 'valid' })
  expect(await yours(bob)).toMatchObject({ total: 1, certificates: [{ code: body.code }] })
})

test('twenty concurrent requests create one', async () => {
  const bob = await graduate('hasty')
  const answers = await Promise.all(Array.from({ length: 20 }, () => take(bob, course.id)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(answers.map(({ body }) => body.code)).size).toBe(1)
  expect((await yours(bob)).total).toBe(1)
})

test('it does not change when the course changes, is deleted or refunded', async () => {
  const author = await app.signUp('author')
  const made = await app.publishCourse(author, { title: 'Old title' })
  const bob = await graduate('keeper', made)
  const { code } = (await take(bob, made.id)).body
  const before = await show(code)
  await done(app, author, `PATCH /course/${made.id}`, formOf({ title: 'New title' }))
  expect(await show(code)).toEqual(before)
  await done(app, author, `DELETE /course/${made.id}`)
  await app.runJobs()
  expect(await show(code)).toEqual({ ...before, courseThere: false })
  // Taking it again returns the same one, even without access to the course.
  expect((await take(bob, made.id)).body.code).toBe(code)
})

describe('search engines', () => {
  test('are only allowed by its owner', async () => {
    const { person, code } = await holder('listed')
    const list = (as: Person | undefined, listed: unknown) =>
      app.call('PUT', `/certificate/${code}`, { as, json: { listed } })
    expect((await list(ann, true)).status).toBe(403)
    expect((await list(person, 'yes')).status).toBe(400)
    expect(await show(code)).toMatchObject({ listed: false })
    expect((await list(person, true)).status).toBe(204)
    expect(await show(code)).toMatchObject({ listed: true })
    expect((await list(person, false)).status).toBe(204)
    expect(await show(code)).toMatchObject({ listed: false })
  })
})

describe('withdrawn', () => {
  test('only by its owner', async () => {
    const { code } = await holder('mine')
    const other = await app.signUp('stranger')
    expect(await remove(other, code)).toBe(403)
    expect(await show(code)).toMatchObject({ state: 'valid' })
  })
  test('it says so without the name, and a new one may be taken, five times', async () => {
    const { person, code } = await holder('changes')
    expect(await remove(person, code)).toBe(204)
    expect(await remove(person, code)).toBe(204)
    const shown = await show(code, person)
    expect(shown).toMatchObject({ state: 'withdrawn', courseTitle: 'Bread' })
    expect(shown.can).toEqual({ withdraw: false, list: false, revoke: false })
    expect(JSON.stringify(shown)).not.toContain('Sofia')
    const { rows } = await app.app.database.pool.query(
      `select name from certificates where code = '${code}'`,
    )
    expect(rows).toEqual([{ name: '' }])
    for (let times = 1; times < 5; times += 1) {
      const next = await take(person, course.id)
      expect(next.status).toBe(200)
      expect(next.body.code).not.toBe(code)
      expect(await remove(person, next.body.code)).toBe(204)
    }
    expect((await take(person, course.id)).status).toBe(409)
    expect((await yours(person)).certificates.map(({ state }) => state)).toEqual(
      Array.from({ length: 5 }, () => 'withdrawn'),
    )
  })
  test('even by a suspended person, whose page stays public until then', async () => {
    const { person, code } = await holder('gloomy')
    await setUser(app, person, { suspended_at: new Date() })
    expect(await show(code)).toMatchObject({ state: 'valid' })
    const list = { as: person, json: { listed: true } }
    expect((await app.call('PUT', `/certificate/${code}`, list)).status).toBe(403)
    expect(await remove(person, code)).toBe(204)
    expect(await show(code)).toMatchObject({ state: 'withdrawn' })
  })
})

describe('revoked', () => {
  test('by an administrator with a reason, which is logged', async () => {
    const { person, code } = await holder('cheat')
    expect(await remove(admin, code)).toBe(400)
    expect(await remove(admin, code, 'no')).toBe(400)
    expect((await show(code, admin)).can.revoke).toBe(true)
    expect(await remove(admin, code, 'Bought the answers')).toBe(204)
    expect(await remove(admin, code, 'And once more')).toBe(204)
    const shown = await show(code)
    expect(shown).toMatchObject({ state: 'revoked' })
    expect(JSON.stringify(shown)).not.toContain('Sofia')
    const { body: log } = await app.call<{ action: string }[]>('GET', '/admin/log', { as: admin })
    expect(log.filter(({ action }) => action === 'certificateRevoked')).toMatchObject([
      {
        subjectId: code,
        subject: 'Bread',
        reason: 'Bought the answers',
        person: { userName: 'cheat' },
      },
    ])
    // Its owner is notified of the reason.
    await app.runJobs()
    const noticesOfOwner = async () =>
      JSON.stringify((await app.call('GET', '/notice/all', { as: person })).body)
    await expect
      .poll(noticesOfOwner, { timeout: 5000 })
      .toMatch(/"certificate".*Bought the answers/)
    // A revoked certificate can neither be withdrawn nor taken again.
    expect(await remove(person, code)).toBe(204)
    expect(await show(code)).toMatchObject({ state: 'revoked' })
    expect((await take(person, course.id)).status).toBe(409)
    expect((await towards(person, course.id)).body.taken).toEqual({ code, state: 'revoked' })
  })
  test('not by a suspended administrator', async () => {
    const { code } = await holder('lucky')
    await setUser(app, admin, { suspended_at: new Date() })
    expect(await remove(admin, code, 'A grudge')).toBe(403)
  })
})

describe('an erased account', () => {
  const erase = async (person: Person) => {
    const json = { password: person.password }
    const { status } = await app.call('POST', '/identity/erase', { as: person, json })
    expect(status).toBe(204)
    await app.runJobs()
  }
  test('withdraws its certificates, and leaves no personal data in them', async () => {
    const { person, code } = await holder('leaver')
    await erase(person)
    expect(await show(code)).toMatchObject({ state: 'withdrawn' })
    const { rows } = await app.app.database.pool.query(
      `select user_id, name from certificates where code = '${code}'`,
    )
    expect(rows).toEqual([{ user_id: null, name: '' }])
  })
  test('of an author removes their name from the certificates of others, which stay', async () => {
    const author = await app.signUp('gone')
    const made = await app.publishCourse(author)
    const bob = await graduate('stays', made)
    const { code } = (await take(bob, made.id)).body
    await erase(author)
    expect(await show(code)).toMatchObject({ state: 'valid', author: 'Former member' })
    const { rows } = await app.app.database.pool.query(
      `select count(*)::int from certificates where author_name = 'gone' or author_id = $1`,
      [author.session._id],
    )
    expect(rows).toEqual([{ count: 0 }])
    // A course that remains for its buyers can still be finished.
    const late = await app.signUp('late')
    expect((await take(late, made.id)).status).toBe(404)
  })
})

test('the export contains them', async () => {
  const { person, code } = await holder('traveller')
  const body = await done<{ certificates: unknown[] }>(app, person, 'GET /identity/export')
  expect(body.certificates).toMatchObject([
    {
      code,
      name: 'traveller of Sofia',
      title: 'Bread',
      lessons: course.lessons.map(({ title }) => title),
    },
  ])
})
