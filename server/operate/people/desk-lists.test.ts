/** The searches and filters of the desk's lists. */
import { expect, test } from 'vitest'
import type { DeskAppeal } from '#contract/appeals.ts'
import type { Flag } from '#contract/flags.ts'
import type { BugReport, OutboxMail } from '#contract/mail.ts'
import type { LogEntry } from '#contract/moderation.ts'
import { insertBug } from '#server/community/contact/bugs.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { done } from '#server/testing/http/answers.ts'
import { writeLetter } from '#server/testing/mail/mails.ts'
import { signUpAll } from '#server/testing/people.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp()
const { admin, boss, ann, ivan } = await signUpAll(app, 'admin', 'boss', 'ann', 'ivan')
const { db } = app.app.database
for (const name of ['admin', 'boss']) await setRole(db, name, 'administrator')
const find = <Answer>(path: string, query: Record<string, string>) =>
  done<Answer>(app, admin, `GET ${path}?${new URLSearchParams(query).toString()}`)

const { _id: annId } = ann.session
const { _id: ivanId } = ivan.session
const lesson = await app.publishLesson(ann)

await done(app, admin, `POST /admin/suspend/${ivanId}`, { reason: 'Измама с точки' })
const appeal = { act: 'act-1', text: 'Това беше шега' }
await done(app, ivan, 'POST /appeal/create', appeal)
await done(app, admin, `POST /admin/suspend/${annId}`, { reason: '100% spam' })
await done(app, ann, 'POST /appeal/create', { act: 'act-2', text: 'I never wrote to anybody' })
await done(app, boss, `DELETE /lesson/${lesson.id}?reason=Not%20lawful`)

test('the log is filtered by administrator, topic, words and names', async () => {
  const log = async (query: Record<string, string>) =>
    (await find<LogEntry[]>('/admin/log', query)).map(({ action, person }) => [
      action,
      person?.userName,
    ])
  expect(await log({ actor: boss.session._id })).toEqual([['lessonDeleted', 'ann']])
  expect(await log({ about: 'people' })).toHaveLength(2)
  expect(await log({ about: 'items', actor: admin.session._id })).toEqual([])
  expect(await log({ search: 'иЗМАМА' })).toEqual([['suspended', 'ivan']])
  expect(await log({ search: '100%' })).toEqual([['suspended', 'ann']])
  expect(await log({ search: 'Iva' })).toEqual([['suspended', 'ivan']])
  expect(await log({ search: 'bos' })).toEqual([['lessonDeleted', 'ann']])
  expect(await log({ search: lesson.title })).toEqual([['lessonDeleted', 'ann']])
  expect((await app.call('GET', '/admin/log?about=nothing', { as: admin })).status).toBe(400)
})

test('appeals are found by their words and people', async () => {
  const appeals = async (search: string, decided = '') =>
    (await find<DeskAppeal[]>('/appeal/all', { search, decided })).map(
      ({ person }) => person.userName,
    )
  expect(await appeals('')).toEqual(['ivan', 'ann'])
  expect(await appeals('ШЕГА')).toEqual(['ivan'])
  expect(await appeals('ann')).toEqual(['ann'])
  expect(await appeals('ann', 'on')).toEqual([])
})

test('reports are found by their words, reporters and the people whom they are about', async () => {
  await done(app, admin, `POST /admin/unsuspend/${annId}`, { reason: 'A mistake' })
  const other = await app.publishLesson(admin)
  await done(app, ann, 'POST /flag', { kind: 'profile', id: ivanId, text: 'Rude in letters' })
  await done(app, boss, 'POST /flag', { kind: 'lesson', id: other.id, text: 'A broken link' })
  const flags = async (search: string, closed = '') =>
    (await find<Flag[]>('/admin/flags', { search, closed })).map(({ text }) => text)
  expect(await flags('LINK')).toEqual(['A broken link'])
  expect(await flags('ivan')).toEqual(['Rude in letters'])
  expect(await flags('ann')).toEqual(['Rude in letters'])
  expect(await flags('admin')).toEqual(['A broken link'])
  expect(await flags('link', 'on')).toEqual([])
})

test('problems are found by words and senders, mails by addresses', async () => {
  const bug = { userId: annId, senderEmail: 'ann@people.example', at: new Date() }
  const text = 'The picture of my lesson is upside down since yesterday'
  await db.transaction().execute((tx) => insertBug(tx, { ...bug, topic: 'Pictures', text }))
  const bugs = async (search: string) =>
    (await find<BugReport[]>('/admin/bugs', { search })).map(({ topic }) => topic)
  for (const search of ['UPSIDE', 'pict', 'ann', 'people.example'])
    expect(await bugs(search)).toEqual(['Pictures'])
  expect(await bugs('sound')).toEqual([])
  const id = await writeLetter(app, { address: 'Someone@school.test', held: true })
  const mails = async (search: string) =>
    (await find<{ mails: OutboxMail[] }>('/admin/mails', { search, state: 'held' })).mails
  expect((await mails('someone@SCHOOL')).map((mail) => mail.id)).toEqual([id])
  expect(await mails('s_hool')).toEqual([])
})
