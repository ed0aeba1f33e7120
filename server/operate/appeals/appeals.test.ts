/** Appeals: who may send and decide them, and what a granted one restores. */
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import type { Appeal, DeskAppeal } from '#contract/appeals.ts'
import type { Comment } from '#contract/comments.ts'
import type { Problem } from '#contract/errors.ts'
import type { Course } from '#contract/courses.ts'
import type { Lesson } from '#contract/lessons.ts'
import { APPEAL_DAYS } from '#contract/limits.ts'
import type { LogEntry } from '#contract/moderation.ts'
import type { Notice } from '#contract/notices.ts'
import { vanishCommentsOf } from '#server/items/comments/deletions.ts'
import { audit } from '#server/operate/audit/audit.ts'
import { restoreItem } from '#server/operate/removal/restoring.ts'
import { setRole } from '#server/people/accounts/store.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import { balanceOf } from '#server/people/points/ledger.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { settleAll } from '#server/testing/learning/notices.ts'
import { whileHolding } from '#server/testing/learning/waiting.ts'
import { mailsTo } from '#server/testing/links.ts'
import { signUpAll } from '#server/testing/people.ts'

const WHY = 'It was a quotation'
const WORDS = 'You are right'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, bob, admin, other } = await signUpAll(app, 'ann', 'bob', 'admin', 'other')
const { db } = app.app.database
for (const name of ['admin', 'other']) await setRole(db, name, 'administrator')
afterAll(() => app.close())

const appeal = (as: Person | undefined, act: string, text: unknown = WHY) =>
  app.call<Appeal & Problem>('POST', '/appeal/create', { ...(as && { as }), json: { act, text } })
const decide = (as: Person, id: number, granted: boolean, text = WORDS) =>
  app.call<DeskAppeal & Problem>('POST', `/appeal/decide/${id}`, { as, json: { granted, text } })
const newestAct = async () => {
  const [entry] = await done<LogEntry[]>(app, admin, 'GET /admin/log')
  return `act-${entry?.id ?? 0}`
}
const suspend = async (person: Person) => {
  await done(app, admin, `POST /admin/suspend/${person.session._id}`, { reason: 'Spam' })
  return newestAct()
}
/** Moves the deletion of a comment to the past. */
async function age(act: string, days: number): Promise<void> {
  const earlier = sql`${days} * interval '1 day'`
  const id = Number(act.replace('act-', ''))
  await sql`
    with acts as (
      update moderation_log set created_at = created_at - ${earlier} where id = ${id} returning subject_id
    )
    update comments set deleted_at = deleted_at - ${earlier} from acts where id = subject_id::bigint`.execute(
    db,
  )
}
const pointsOf = async (person: Person) => (await balanceOf(db, person.session._id)).kbPoints

/** A comment that Bob wrote and the administrator deleted. */
async function deletedComment() {
  const lesson = await app.publishLesson(ann)
  await app.give(bob, 100)
  await done(app, bob, `POST /lesson/buy/${lesson.id}`)
  const text = 'Somebody said: all of this is wrong'
  const comment = await done<Comment>(app, bob, `POST /comment/create/${lesson.id}`, { text })
  await done(app, admin, `DELETE /comment/delete/${comment.id}`)
  return { lesson, comment, act: await newestAct() }
}

describe('an appeal is refused', () => {
  test('about decisions that don’t exist, concern others or can’t be appealed', async () => {
    const { act } = await deletedComment()
    for (const [as, id, status] of [
      [undefined, act, 401],
      [ann, act, 404],
      [bob, 'act-999999', 404],
      [bob, 'reward-999999', 404],
      [bob, 'comment-1', 400],
    ] as const)
      expect((await appeal(as, id)).status).toBe(status)
  })

  test('without words, a second time, and after 180 days', async () => {
    const { act } = await deletedComment()
    for (const text of ['', 'no', 'x'.repeat(1001), 5])
      expect((await appeal(bob, act, text)).status).toBe(400)
    const sent = await Promise.all([appeal(bob, act), appeal(bob, act)])
    expect(sent.map(({ status }) => status)).toEqual([200, 200])
    expect(sent[0]?.body.id).toBe(sent[1]?.body.id)
    expect((await appeal(bob, act, 'Something else')).status).toBe(409)
    const late = (await deletedComment()).act
    await age(late, APPEAL_DAYS + 1)
    expect((await appeal(bob, late)).body.title).toMatch(/has ended/)
  })

  test('by the administrator who decided, while there is another', async () => {
    const { act } = await deletedComment()
    const { id } = (await appeal(bob, act)).body
    expect((await decide(admin, id, true)).status).toBe(403)
    await setRole(db, 'other', 'user')
    expect((await decide(admin, id, true)).status).toBe(200)
    await setRole(db, 'other', 'administrator')
  })
})

describe('a granted appeal', () => {
  test('restores a comment after months, and its writer learns of it', async () => {
    const { lesson, comment, act } = await deletedComment()
    const { id } = (await appeal(bob, act)).body
    await age(act, 100)
    const decided = await Promise.all([decide(other, id, true), decide(other, id, true)])
    expect(decided.map(({ status }) => status)).toEqual([200, 200])
    expect((await decide(other, id, false)).status).toBe(409)
    const shown = await done<Comment[]>(app, bob, `GET /comment/lesson/${lesson.id}`)
    expect(shown.map((each) => each.id)).toEqual([comment.id])
    await settleAll(app)
    const { notices } = await done<{ notices: Notice[] }>(app, bob, 'GET /notice/all')
    expect(notices.slice(0, 3).map(({ detail, act: of }) => [detail, of])).toEqual(
      expect.arrayContaining([
        ['appealGranted', null],
        ['commentRestored', null],
        ['commentDeleted', act],
      ]),
    )
    expect((await mailsTo(app, bob)).at(-1)?.subject).toBe('mailAppealGrantedSubject')
    expect((await audit(app.app.core)).findings).toEqual([])
  })

  test('lifts a suspension; the suspended person can appeal', async () => {
    const act = await suspend(bob)
    const { id } = (await appeal(bob, act)).body
    const open = await done<DeskAppeal[]>(app, other, 'GET /appeal/all')
    expect(open.at(-1)).toMatchObject({
      act: { action: 'suspended', automated: false, reason: 'Spam' },
      person: { userName: 'bob' },
      actor: { userName: 'admin' },
      decided: null,
    })
    expect((await decide(other, id, true)).body.decided).toMatchObject({ granted: true })
    expect((await app.call('POST', '/message/create', { as: bob, json: {} })).status).toBe(400)
  })

  test('leaves a later suspension as it is', async () => {
    const act = await suspend(bob)
    await done(app, admin, `POST /admin/unsuspend/${bob.session._id}`, { reason: WORDS })
    await suspend(bob)
    const { id } = (await appeal(bob, act)).body
    expect((await decide(other, id, true)).status).toBe(200)
    expect((await app.call('POST', '/message/create', { as: bob, json: {} })).status).toBe(403)
    await done(app, admin, `POST /admin/unsuspend/${bob.session._id}`, { reason: WORDS })
  })

  test('pays a reward that was withheld automatically, once', async () => {
    const original = await app.publishLesson(ann)
    const copy = await app.publishLesson(bob, { article: original.article })
    expect(copy.rewardReason).toBe('sameArticle')
    const before = await pointsOf(bob)
    const { id } = (await appeal(bob, `reward-${copy.id}`)).body
    const open = await done<DeskAppeal[]>(app, other, 'GET /appeal/all')
    expect(open.at(-1)?.act).toMatchObject({ action: 'rewardWithheld', automated: true })
    await Promise.all([decide(other, id, true), decide(admin, id, true)])
    expect(await pointsOf(bob)).toBe(before + 100)
    expect((await audit(app.app.core)).findings).toEqual([])
  })
})

describe('a granted appeal about a deletion', () => {
  test('lists a lesson again with its reward; refunds stay', async () => {
    const lesson = await app.publishLesson(ann, { tags: 'knots' })
    await app.give(bob, 100)
    await done(app, bob, `POST /lesson/buy/${lesson.id}`)
    await done(app, bob, `POST /comment/create/${lesson.id}`, {
      text: 'Clear and short, thank you',
    })
    const before = await pointsOf(ann)
    await done(app, admin, `DELETE /lesson/${lesson.id}?reason=Not%20lawful`)
    expect(await pointsOf(ann)).toBe(before - 110)
    expect((await app.call('GET', `/lesson/${lesson.id}`)).status).toBe(404)
    await app.runJobs()
    const { id } = (await appeal(ann, await newestAct())).body
    const answers = await Promise.all([decide(other, id, true), decide(other, id, true)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await pointsOf(ann)).toBe(before - 10)
    const shown = await done<Lesson>(app, ann, `GET /lesson/${lesson.id}`)
    expect(shown).toMatchObject({ title: lesson.title, tags: ['knots'], article: lesson.article })
    expect((await done<Lesson>(app, bob, `GET /lesson/${lesson.id}`)).bought).toBe(false)
    expect((await audit(app.app.core)).findings).toEqual([])
    // The owner deletes it for good.
    await done(app, ann, `DELETE /lesson/${lesson.id}`)
    expect(await pointsOf(ann)).toBe(before - 110)
    expect((await audit(app.app.core)).findings).toEqual([])
  })

  test('restores a lesson without comments; a job that deletes them meanwhile waits', async () => {
    const { lesson, comment } = await deletedComment()
    await done(app, admin, `POST /comment/restore/${comment.id}`)
    await done(app, admin, `DELETE /lesson/${lesson.id}?reason=Not%20lawful`)
    const restore = (tx: Tx) => restoreItem(tx, { kind: 'lesson', id: lesson.id, at: new Date() })
    await whileHolding(db, restore, () => vanishCommentsOf(db, lesson.id))
    const text = 'Here it is again, have a look'
    const own = await done<Comment>(app, ann, `POST /comment/create/${lesson.id}`, { text })
    await app.runJobs()
    const shown = await done<Comment[]>(app, ann, `GET /comment/lesson/${lesson.id}`)
    expect(shown.map(({ id }) => id)).toEqual([own.id])
    expect((await audit(app.app.core)).findings).toEqual([])
  })

  test('lists a course again with its lessons and its reward', async () => {
    const course = await app.publishCourse(ann)
    const before = await pointsOf(ann)
    await done(app, admin, `DELETE /course/${course.id}?reason=Not%20lawful`)
    const act = await newestAct()
    const { id } = (await appeal(ann, act)).body
    expect((await decide(other, id, true)).status).toBe(200)
    const shown = await done<Course>(app, ann, `GET /course/${course.id}`)
    expect(shown.lessons.map((each) => each.id)).toEqual(course.lessons.map((each) => each.id))
    expect(await pointsOf(ann)).toBe(before)
    expect((await audit(app.app.core)).findings).toEqual([])
  })
})

test('a declined appeal leaves the decision as it is', async () => {
  const act = await suspend(ann)
  const { id } = (await appeal(ann, act)).body
  expect((await decide(other, id, false, 'It was spam')).status).toBe(200)
  expect((await app.call('POST', '/message/create', { as: ann, json: {} })).status).toBe(403)
  const { appeal: shown } = await done<{ appeal: Appeal }>(app, ann, `GET /appeal/act/${act}`)
  expect(shown.decided).toMatchObject({ granted: false, text: 'It was spam' })
  await done(app, admin, `POST /admin/unsuspend/${ann.session._id}`, { reason: WORDS })
})

test('the figures count decisions, appeals and how they ended', async () => {
  const { rows } = await done<{ rows: readonly Record<string, unknown>[] }>(
    app,
    admin,
    'GET /appeal/figures',
  )
  expect(rows.find(({ action }) => action === 'suspended')).toMatchObject({
    acts: 4,
    appeals: 3,
    granted: 2,
    declined: 1,
    medianHours: 0,
  })
})
