/** Tests "This is mine", and what moderators decide about it. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Comparison, Flag } from '#contract/flags.ts'
import { MODERATED_DAYS } from '#contract/limits.ts'
import type { LogEntry } from '#contract/moderation.ts'
import type { Notice } from '#contract/notices.ts'
import { audit } from '#server/operate/audit/audit.ts'
import { deleteHiddenCopies } from '#server/operate/removal/copies.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { balanceOf } from '#server/people/points/ledger.ts'
import { createTestApp, lessonForm, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { settleAll } from '#server/testing/learning/notices.ts'
import { signUpAll } from '#server/testing/people.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, bob, eve, admin } = await signUpAll(app, 'ann', 'bob', 'eve', 'admin')
const { db } = app.app.database
await setRole(db, 'admin', 'administrator')
afterAll(() => app.close())
beforeEach(() => {
  app.clock.time = null
})

const claim = (as: Person, id: number) =>
  app.call<{ id: number }>('POST', `/lesson/claim/${id}`, { as })
const decide = (id: number, outcome?: string, reason?: string) =>
  app.call<Flag>('POST', `/admin/flags/${id}/outcome`, { as: admin, json: { outcome, reason } })
const pointsOf = async (person: Person) => (await balanceOf(db, person.session._id)).kbPoints
const told = async (person: Person) => {
  await settleAll(app)
  const { notices } = await done<{ notices: Notice[] }>(app, person, 'GET /notice/all')
  return notices.map(({ detail }) => detail)
}
const see = async (id: number, as?: Person) =>
  (await app.call('GET', `/lesson/${id}`, as && { as })).status

/** Publishes a lesson of Ann and its copy by Bob, who holds a reward for it from before the rule. */
async function copied() {
  const original = await app.publishLesson(ann)
  const copy = await app.publishLesson(bob)
  // Judged by the older version, with the fingerprint of today.
  await db
    .updateTable('lesson_fingerprints')
    .set({ original_id: original.id })
    .where('lesson_id', '=', copy.id)
    .execute()
  const { id } = (await claim(ann, copy.id)).body
  return { original, copy, id }
}

describe('a claim', () => {
  test('is refused without an older lesson of one’s own that was copied', async () => {
    const { id, article } = await app.publishLesson(ann)
    const copy = await app.publishLesson(bob, { article })
    expect((await app.call('POST', `/lesson/claim/${copy.id}`)).status).toBe(401)
    expect((await claim(eve, copy.id)).status).toBe(404)
    expect((await claim(bob, copy.id)).status).toBe(404)
    expect((await claim(bob, id)).status).toBe(404)
    expect((await claim(ann, 999_999)).status).toBe(404)
    expect((await claim(ann, copy.id)).status).toBe(200)
  })

  test('follows a notice, and is one report however often it is made', async () => {
    const { id, title, article } = await app.publishLesson(ann, { title: 'The original' })
    const copy = await app.publishLesson(bob, { article: `${article}<p>And a word.</p>` })
    expect((await told(ann))[0]).toBe('copyFound')
    expect(await told(bob)).not.toContain('copyFound')
    const claims = await Promise.all([claim(ann, copy.id), claim(ann, copy.id)])
    expect(claims[0]?.body).toEqual(claims[1]?.body)
    const [flag] = await done<Flag[]>(app, admin, 'GET /admin/flags')
    expect(flag).toMatchObject({
      id: claims[0]?.body.id,
      subjectId: String(copy.id),
      original: { id, title },
      outcome: null,
    })
    const compared = await done<Comparison>(app, admin, `GET /admin/flags/${flag?.id}/texts`)
    expect(compared.likeness).toBeGreaterThan(0.9)
    const { text = '', places = [] } = compared.lesson?.article ?? {}
    expect(places.map(([from, to]) => text.slice(from, to))).toEqual([
      text.replace(' And a word.', ''),
    ])
    expect((await decide(flag?.id ?? 0, 'fine')).status).toBe(200)
    expect((await claim(ann, copy.id)).body).toEqual({ id: flag?.id })
  })
})

describe('a copy', () => {
  let buyers = 0
  /** Returns what Bob gets. */
  const sell = async (id: number, kind = 'lesson') => {
    const before = await pointsOf(bob)
    buyers += 1
    const buyer = await app.signUp(`buyer${buyers}`)
    await app.give(buyer, 1000)
    await done(app, buyer, `POST /${kind}/buy/${id}`)
    return (await pointsOf(bob)) - before
  }

  test('brings its author no share, nor does its course, unless moderators decide that it is none', async () => {
    const original = await app.publishLesson(ann)
    const course = await app.publishCourse(bob)
    const [copy] = course.lessons
    expect(await sell(course.id, 'course')).toBeGreaterThan(0)
    await done(app, bob, `PUT /lesson/${copy?.id}`, await lessonForm({ article: original.article }))
    expect(await sell(copy?.id ?? 0)).toBe(0)
    expect(await sell(course.id, 'course')).toBe(0)
    const { id } = (await claim(ann, copy?.id ?? 0)).body
    await decide(id, 'copy')
    expect(await sell(copy?.id ?? 0)).toBe(0)
    await decide(id, 'fine')
    expect(await sell(copy?.id ?? 0)).toBe(10)
    expect(await sell(course.id, 'course')).toBeGreaterThan(0)
  })
})

describe('a decision', () => {
  test('is refused for other reports, and for a removal without a reason', async () => {
    const { id: lesson } = await app.publishLesson(bob)
    const report = { kind: 'lesson', id: lesson, text: 'This is wrong' }
    const { id } = await done<{ id: number }>(app, ann, 'POST /flag', report)
    expect((await decide(id, 'copy')).status).toBe(404)
    expect((await app.call('GET', `/admin/flags/${id}/texts`, { as: admin })).status).toBe(404)
    const claimed = await copied()
    expect((await decide(claimed.id, 'removed')).status).toBe(400)
  })

  test('takes the reward of a copy, tells both, and can be undone any number of times', async () => {
    const { copy, id } = await copied()
    const before = await pointsOf(bob)
    app.clock.time = new Date()
    for (let time = 0; time < 2; time += 1) {
      const answers = await Promise.all([decide(id, 'copy'), decide(id, 'copy')])
      expect(answers.map(({ body }) => body.outcome)).toEqual(['copy', 'copy'])
      expect(await pointsOf(bob)).toBe(before - 100)
      expect([(await told(ann))[0], (await told(bob))[0]]).toEqual([
        'copyConfirmed',
        'copyConfirmed',
      ])
      expect((await decide(id)).body).toMatchObject({ outcome: null, closed: null })
      expect(await pointsOf(bob)).toBe(before)
    }
    await done(app, bob, `DELETE /lesson/${copy.id}`)
    expect(await pointsOf(bob)).toBe(before - 100)
    expect((await decide(id, 'copy')).status).toBe(404)
    const log = await done<LogEntry[]>(app, admin, 'GET /admin/log')
    expect(log.slice(0, 2).map(({ action }) => action)).toEqual(['copyUndone', 'copyConfirmed'])
  })

  test('hides a removed lesson, which returns when it is undone', async () => {
    const { copy, id } = await copied()
    await app.give(eve, 100)
    await done(app, eve, `POST /lesson/buy/${copy.id}`)
    expect((await decide(id, 'removed', 'Taken from Ann')).body.outcome).toBe('removed')
    expect([await see(copy.id), await see(copy.id, bob), await see(copy.id, eve)]).toEqual([
      404, 404, 200,
    ])
    expect((await decide(id)).body.outcome).toBe(null)
    expect(await see(copy.id)).toBe(200)
    expect((await audit(app.app.core)).findings).toEqual([])
  })

  test('is undone after a later one about the same lesson, which stays hidden until both are', async () => {
    const { copy, id } = await copied()
    const third = await app.publishLesson(eve)
    await db
      .updateTable('lesson_fingerprints')
      .set({ original_id: third.id })
      .where('lesson_id', '=', copy.id)
      .execute()
    const later = (await claim(eve, copy.id)).body.id
    const before = await pointsOf(bob)
    for (const each of [id, later]) await decide(each, 'removed', 'Taken from others')
    expect((await decide(id)).status).toBe(409)
    expect((await decide(later)).status).toBe(200)
    expect([await see(copy.id), await pointsOf(bob)]).toEqual([404, before - 100])
    expect((await decide(id)).status).toBe(200)
    expect([await see(copy.id), await pointsOf(bob)]).toEqual([200, before])
    expect((await audit(app.app.core)).findings).toEqual([])
  })

  test('deletes a removed lesson when no appeal can restore it, and refunds its buyers', async () => {
    const { copy, id } = await copied()
    await app.give(eve, 100)
    await done(app, eve, `POST /lesson/buy/${copy.id}`)
    const before = await pointsOf(eve)
    await decide(id, 'removed', 'Taken from Ann')
    app.clock.time = new Date(Date.now() + (MODERATED_DAYS + 1) * DAY_MS)
    await deleteHiddenCopies(app.app.core)
    app.clock.time = null
    expect(await pointsOf(eve)).toBe(before + 100)
    expect((await decide(id)).status).toBe(404)
  })

  test('returns the reward of a course that lost it with the lesson', async () => {
    const original = await app.publishLesson(ann)
    const course = await app.publishCourse(bob)
    const [lesson] = course.lessons
    await db
      .updateTable('lesson_fingerprints')
      .set({ original_id: original.id })
      .where('lesson_id', '=', lesson?.id ?? 0)
      .execute()
    const { id } = (await claim(ann, lesson?.id ?? 0)).body
    const before = await pointsOf(bob)
    await decide(id, 'copy')
    expect(await pointsOf(bob)).toBe(before - 600)
    await decide(id)
    expect(await pointsOf(bob)).toBe(before)
  })
})
