import { afterAll, describe, expect, test } from 'vitest'
import type { Certificate, OwnCertificate, TowardsCertificate } from '#contract/certificates.ts'
import type { Problem } from '#contract/errors.ts'
import type { Notice } from '#contract/notices.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { CAPITAL, checksOf, RIVERS } from '#server/testing/learning/self-checks.ts'
import { finishCourse, tickOff, unlockCourse } from '#server/testing/learning/finishing.ts'
import { edit } from '#server/testing/learning/items.ts'
import { signUpAll } from '#server/testing/people.ts'
import { setUser } from '#server/testing/rows.ts'

const app = await createTestApp()
const { ann, admin } = await signUpAll(app, 'ann', 'admin')
await setRole(app.app.database.db, 'admin', 'administrator')
const course = await app.publishCourse(ann, { title: 'Bread' })
const ids = course.lessons.map(({ id }) => id)
afterAll(() => app.close())

const take = (as: Person, courseId = course.id, name = 'Bob B. Baker') =>
  app.call<{ code: string; missing: TowardsCertificate['missing'] } & Problem>(
    'POST',
    `/certificate/course/${courseId}`,
    { as, json: { name } },
  )
const show = (code: string, as?: Person) => done<Certificate>(app, as, `GET /certificate/${code}`)
const towards = (as: Person, courseId = course.id) =>
  done<TowardsCertificate>(app, as, `GET /certificate/course/${courseId}`)
const yours = (as: Person) =>
  done<{ certificates: OwnCertificate[]; total: number }>(app, as, 'GET /certificate/yours')
const list = async (as: Person, code: string, listed: boolean) =>
  (await app.call('PUT', `/certificate/${code}`, { as, json: { listed } })).status
const remove = async (as: Person, code: string, reason = '') =>
  (await app.call('DELETE', `/certificate/${code}?reason=${encodeURIComponent(reason)}`, { as }))
    .status
const rowOf = async (code: string) => {
  const { pool } = app.app.database
  return (await pool.query('select user_id, name from certificates where code = $1', [code]))
    .rows[0]
}

/** Signs up a person who has finished the course. */
async function graduate(name: string, of = course): Promise<Person> {
  const person = await app.signUp(name)
  await finishCourse(app, person, of)
  return person
}
async function holder(name: string, of = course): Promise<{ person: Person; code: string }> {
  const person = await graduate(name, of)
  const { status, body } = await take(person, of.id, `${name} of Sofia`)
  expect(status).toBe(200)
  return { person, code: body.code }
}

describe('a certificate is refused', () => {
  test('to the author of the course, who can still see the progress', async () => {
    await tickOff(app, ann, ids)
    expect((await take(ann)).status).toBe(403)
  })
  test('while lessons are missing, which the refusal names', async () => {
    const bob = await app.signUp('half')
    await unlockCourse(app, bob, course.id)
    await tickOff(app, bob, ids.slice(0, 4))
    const missing = course.lessons
      .slice(4)
      .map(({ id, title }) => ({ id, title, what: 'lesson' as const }))
    const { status, body } = await take(bob)
    expect(status).toBe(409)
    expect(body).toMatchObject({
      title: 'The course isn’t finished: 4 of 6 lessons are done.',
      missing,
    })
    expect(await towards(bob)).toEqual({ done: 4, total: 6, taken: null, missing })
    // A lesson that was unticked again is missing too.
    await tickOff(app, bob, ids.slice(4))
    await done(app, bob, `PUT /progress/${ids[0]}`, { done: false })
    expect((await take(bob)).status).toBe(409)
  })
  test('while a self-check was not passed, whose lesson the refusal names', async () => {
    const checks = checksOf(app, () => ann)
    const asking = [await checks.publish(), await checks.publish([CAPITAL])]
    const [one = 0, two = 0] = asking
    const made = await app.publishCourse(ann, { lessons: [...asking, ...ids.slice(0, 4)] })
    const bob = await graduate('unsure', made)
    const missing = async () => (await take(bob, made.id)).body.missing
    expect(await missing()).toMatchObject(asking.map((id) => ({ id, what: 'check' })))
    await checks.take(one, [[1], [0]], bob)
    await checks.take(two, [[1]], bob)
    expect(await missing()).toMatchObject([{ id: one, what: 'check' }])
    await done(app, bob, `PUT /progress/${one}`, { done: false })
    const both = [
      { id: one, what: 'lesson' },
      { id: one, what: 'check' },
    ]
    expect(await towards(bob, made.id)).toMatchObject({ done: 5, total: 6, missing: both })
    await tickOff(app, bob, [one])
    await checks.take(one, [[1], [0, 2]], bob)
    expect((await take(bob, made.id, 'B')).status).toBe(400)
    expect((await take(bob, made.id)).status).toBe(200)
    // Questions added later don't affect the certificate.
    await checks.change(two, [CAPITAL, RIVERS])
    expect((await take(bob, made.id)).status).toBe(200)
  })
})

test('a person who finished the course takes one, and taking it again returns the same, whatever name is given', async () => {
  const bob = await graduate('bob')
  const { code } = (await take(bob, course.id, '  Bob   B.\u00a0Baker ')).body
  expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/)
  expect((await take(bob, course.id, 'Somebody Else')).body.code).toBe(code)
  const shown = await show(code)
  expect(shown).toMatchObject({
    code,
    state: 'valid',
    name: 'Bob B. Baker',
    author: 'ann',
    authorNow: 'ann',
    listed: false,
    courseId: course.id,
    courseTitle: 'Bread',
    courseThere: true,
    lessons: course.lessons.map(({ title }) => title),
    can: { withdraw: false, list: false, revoke: false },
  })
  // As typed from paper.
  expect(await show(code.toUpperCase())).toEqual(shown)
  expect((await show(code, bob)).can).toEqual({ withdraw: true, list: true, revoke: false })
  expect((await towards(bob)).taken).toEqual({ code, state: 'valid' })
  expect(await yours(bob)).toMatchObject({ total: 1, certificates: [{ code }] })
})

test('twenty concurrent requests create one', async () => {
  const bob = await graduate('hasty')
  const answers = await Promise.all(Array.from({ length: 20 }, () => take(bob)))
  expect(new Set(answers.map(({ body }) => body.code)).size).toBe(1)
  expect((await yours(bob)).total).toBe(1)
})

test('it does not change when the course changes, is deleted or refunded', async () => {
  const author = await app.signUp('author')
  const made = await app.publishCourse(author, { title: 'Old title' })
  const { person: bob, code } = await holder('keeper', made)
  const before = await show(code)
  await edit(app, author, ['course', made.id], { title: 'New title' })
  expect(await show(code)).toEqual(before)
  await done(app, author, `DELETE /course/${made.id}`)
  await app.runJobs()
  expect(await show(code)).toEqual({ ...before, courseThere: false })
  // Taking it again returns the same one, even without access to the course.
  expect((await take(bob, made.id)).body.code).toBe(code)
})

test('only its owner lets search engines find it, and withdraws it', async () => {
  const { person, code } = await holder('listed')
  for (const as of [ann, await app.signUp('stranger')])
    expect([await list(as, code, true), await remove(as, code)]).toEqual([403, 403])
  for (const listed of [true, false]) {
    expect(await list(person, code, listed)).toBe(204)
    expect(await show(code)).toMatchObject({ state: 'valid', listed })
  }
  // A suspended person can at least hide the name.
  await setUser(app, person, { suspended_at: new Date() })
  expect([await list(person, code, true), await remove(person, code)]).toEqual([403, 204])
})

test('a withdrawn one has no name, and a new one may be taken, five times', async () => {
  const { person, code } = await holder('changes')
  expect([await remove(person, code), await remove(person, code)]).toEqual([204, 204])
  const shown = await show(code, person)
  expect(shown).toMatchObject({
    state: 'withdrawn',
    courseTitle: 'Bread',
    can: { withdraw: false, list: false, revoke: false },
  })
  expect(JSON.stringify(shown)).not.toContain('Sofia')
  expect(await rowOf(code)).toMatchObject({ name: '' })
  for (let times = 1; times < 5; times += 1) {
    const next = (await take(person)).body.code
    expect(next).not.toBe(code)
    expect(await remove(person, next)).toBe(204)
  }
  expect((await take(person)).status).toBe(409)
  const { certificates } = await yours(person)
  expect(certificates.map(({ state }) => state)).toEqual(Array(5).fill('withdrawn'))
})

test('an administrator revokes one with a reason, which is logged and told to its owner', async () => {
  const { person, code } = await holder('cheat')
  expect([await remove(admin, code), await remove(admin, code, 'no')]).toEqual([400, 400])
  expect((await show(code, admin)).can.revoke).toBe(true)
  await setUser(app, admin, { suspended_at: new Date() })
  expect(await remove(admin, code, 'A grudge')).toBe(403)
  await setUser(app, admin, { suspended_at: null })
  const reason = 'Bought the answers'
  expect(await remove(admin, code, reason)).toBe(204)
  expect(await remove(admin, code, 'And once more')).toBe(204)
  const shown = await show(code)
  expect(shown).toMatchObject({ state: 'revoked' })
  expect(JSON.stringify(shown)).not.toContain('Sofia')
  const log = await done<{ action: string }[]>(app, admin, 'GET /admin/log')
  expect(log.filter(({ action }) => action === 'certificateRevoked')).toMatchObject([
    { subjectId: code, subject: 'Bread', reason, person: { userName: 'cheat' } },
  ])
  await app.runJobs()
  const { notices } = await done<{ notices: Notice[] }>(app, person, 'GET /notice/all')
  expect(notices[0]).toMatchObject({ kind: 'certificate', note: reason })
  // A revoked certificate can neither be withdrawn nor taken again.
  expect(await remove(person, code)).toBe(204)
  expect(await show(code)).toMatchObject({ state: 'revoked' })
  expect((await take(person)).status).toBe(409)
  expect((await towards(person)).taken).toEqual({ code, state: 'revoked' })
})

describe('an erased account', () => {
  const erase = async (person: Person) => {
    await done(app, person, 'POST /identity/erase', { password: person.password })
    await app.runJobs()
  }
  test('withdraws its certificates, and leaves no personal data in them', async () => {
    const { person, code } = await holder('leaver')
    await erase(person)
    expect(await show(code)).toMatchObject({ state: 'withdrawn' })
    expect(await rowOf(code)).toEqual({ user_id: null, name: '' })
  })
  test('of an author removes their name from the certificates of others, which stay', async () => {
    const author = await app.signUp('gone')
    const { code } = await holder('stays', await app.publishCourse(author))
    await erase(author)
    expect(await show(code)).toMatchObject({
      state: 'valid',
      author: 'Former member',
      authorNow: null,
    })
    const { rows } = await app.app.database.pool.query(
      `select from certificates where author_name = 'gone' or author_id = $1`,
      [author.session._id],
    )
    expect(rows).toEqual([])
  })
})
