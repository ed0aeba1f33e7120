/** Tests that owners are notified of what administrators do to their items, and that it is logged. */
import { expect, test } from 'vitest'
import type { LogEntry } from '#contract/moderation.ts'
import type { Ledger } from '#contract/points.ts'
import { setRole } from '#server/people/accounts/store.ts'
import type { Person } from '#server/testing/app.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { signUpAll } from '#server/testing/people.ts'
import { openTestApp } from '#server/testing/setup.ts'

const REASON = 'The picture is not yours'

const app = await openTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, admin } = await signUpAll(app, 'ann', 'admin')
await setRole(app.app.database.db, 'admin', 'administrator')

/** Returns the notices of a person about their items in the outbox. */
const mailsAbout = (person: Person) =>
  app.app.database.db
    .selectFrom('mails')
    .select(['address', 'subject', 'notice'])
    .where('user_id', '=', person.session._id)
    .where('subject', 'like', 'mail%ed%Subject%')
    .where('subject', 'not like', 'mailConfirm%')
    .orderBy('id')
    .execute()
const edit = (path: string, as: Person) => {
  const form = formOf({ description: 'Another description', reason: REASON })
  return app.call('PATCH', path, { as, form })
}
const remove = (path: string, as: Person) =>
  app.call('DELETE', `${path}?${new URLSearchParams({ reason: REASON }).toString()}`, { as })

test('administrators edit and delete their own items without a notice', async () => {
  const { id } = await app.publishLesson(ann)
  expect((await edit(`/lesson/${id}`, ann)).status).toBe(200)
  expect((await remove(`/lesson/${id}`, ann)).status).toBe(200)
  expect(await mailsAbout(ann)).toEqual([])
  expect((await app.call<LogEntry[]>('GET', '/admin/log', { as: admin })).body).toEqual([])
})

test('an owner is told if no reason was given', async () => {
  const other = await app.signUp('olga')
  const course = await app.publishCourse(other)
  const { id } = await app.publishLesson(other)
  for (const path of [`/lesson/${id}`, `/course/${course.id}`]) {
    const form = formOf({ description: 'Another description' })
    expect((await app.call('PATCH', path, { as: admin, form })).status).toBe(200)
    expect((await app.call('DELETE', path, { as: admin })).status).toBe(200)
  }
  const sent = await mailsAbout(other)
  expect(sent).toHaveLength(4)
  for (const { notice } of sent) expect(JSON.stringify(notice)).toContain('"pointsNoReason"')
  const { body } = await app.call<Ledger>('GET', '/identity/points', { as: other })
  const acts = body.entries.filter(({ reason }) => /^edited|Administrator$/.test(reason))
  expect(acts.map(({ note }) => note)).toEqual([undefined, undefined, undefined, undefined])
  await app.app.database.db.deleteFrom('moderation_log').execute()
})

test('each action appears in the owner’s ledger, mail and the log', async () => {
  const course = await app.publishCourse(ann)
  const lesson = await app.publishLesson(ann, { title: 'Уроци по китара' })
  expect((await edit(`/lesson/${lesson.id}`, admin)).status).toBe(200)
  expect((await remove(`/lesson/${lesson.id}`, admin)).status).toBe(200)
  expect((await edit(`/course/${course.id}`, admin)).status).toBe(200)
  expect((await remove(`/course/${course.id}`, admin)).status).toBe(200)
  const { body } = await app.call<LogEntry[]>('GET', '/admin/log', { as: admin })
  const line = (action: string, { id, title }: { id: number; title: string }) => ({
    action,
    subjectId: `${id}`,
    subject: title,
    reason: REASON,
    actor: { userName: 'admin' },
    person: { userName: 'ann' },
  })
  expect(body).toMatchObject([
    line('courseDeleted', course),
    line('courseEdited', course),
    line('lessonDeleted', lesson),
    line('lessonEdited', lesson),
  ])
  const { body: ledger } = await app.call<Ledger>('GET', '/identity/points', { as: ann })
  const notes = ledger.entries.filter(({ note }) => note === REASON)
  expect(notes.map(({ reason }) => reason)).toEqual([
    'deletedByAdministrator',
    'edited',
    'deletedByAdministrator',
    'edited',
  ])
  const sent = await mailsAbout(ann)
  expect(sent.map(({ subject }) => subject)).toEqual([
    'mailLessonEditedSubject',
    'mailLessonDeletedSubject',
    'mailCourseEditedSubject',
    'mailCourseDeletedSubject',
  ])
  expect(sent[0]?.address).toBe(ann.session.email)
  expect(sent[0]?.notice).toMatchObject({
    lines: [
      `mailLessonEditedWhat?title='${encodeURIComponent('Уроци по китара')}`,
      `pointsReason?reason='${encodeURIComponent(REASON)}`,
    ],
    link: { path: expect.stringMatching(/^\/appeal\/act-\d+$/) },
    optional: true,
  })
})
