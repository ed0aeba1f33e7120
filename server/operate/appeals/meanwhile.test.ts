/** A restored lesson is compared with what was published meanwhile. */
import { expect, test } from 'vitest'
import type { Appeal, DeskAppeal } from '#contract/appeals.ts'
import type { CreatedLesson } from '#contract/lessons.ts'
import type { LogEntry } from '#contract/moderation.ts'
import type { Notice } from '#contract/notices.ts'
import { audit } from '#server/operate/audit/audit.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { deleteOldFingerprints } from '#server/people/points/fingerprints.ts'
import { balanceOf } from '#server/people/points/ledger.ts'
import type { Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { settleAll } from '#server/testing/learning/notices.ts'
import { signUpAll } from '#server/testing/people.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, bob, eve, admin } = await signUpAll(app, 'ann', 'bob', 'eve', 'admin')
const { db } = app.app.database
await setRole(db, 'admin', 'administrator')

const pointsOf = async (person: Person) => (await balanceOf(db, person.session._id)).kbPoints
const appeal = (as: Person, act: string) =>
  done<Appeal>(app, as, 'POST /appeal/create', { act, text: 'It is lawful' })

/** A lesson of Ann that an administrator deleted so long ago that its fingerprint is gone. */
async function deletedLongAgo(): Promise<CreatedLesson> {
  const lesson = await app.publishLesson(ann)
  await done(app, admin, `DELETE /lesson/${lesson.id}?reason=Not%20lawful`)
  await app.runJobs()
  await deleteOldFingerprints(db, new Date(Date.now() + 91 * 24 * 60 * 60 * 1000))
  return lesson
}
async function restore(): Promise<void> {
  const [entry] = await done<LogEntry[]>(app, admin, 'GET /admin/log')
  const { id } = await appeal(ann, `act-${entry?.id ?? 0}`)
  await done<DeskAppeal>(app, admin, `POST /appeal/decide/${id}`, { granted: true, text: 'Yes' })
}

test('its copies are recognised at once, and its author can claim them', async () => {
  const { id, article } = await deletedLongAgo()
  const copy = await app.publishLesson(bob, { article })
  const second = await app.publishLesson(eve, { article })
  expect([copy.rewarded, second.rewarded]).toEqual([true, false])
  await restore()
  const later = await app.publishLesson(eve, { article })
  expect(later).toMatchObject({ rewardReason: 'sameArticle', older: { id } })
  for (const each of [copy, second]) await done(app, ann, `POST /lesson/claim/${each.id}`)
  expect((await app.call('POST', `/lesson/claim/${second.id}`, { as: bob })).status).toBe(404)
  await settleAll(app)
  const { notices } = await done<{ notices: Notice[] }>(app, ann, 'GET /notice/all')
  expect(notices.filter(({ detail }) => detail === 'copyFound').length).toBeGreaterThan(0)
  expect((await audit(app.app.core)).findings).toEqual([])
})

test('its reward is withheld if its author was rewarded for the same article, until an appeal', async () => {
  const { id, article } = await deletedLongAgo()
  const before = await pointsOf(ann)
  expect((await app.publishLesson(ann, { article })).rewarded).toBe(true)
  await restore()
  expect(await pointsOf(ann)).toBe(before + 100)
  const again = await appeal(ann, `reward-${id}`)
  await done(app, admin, `POST /appeal/decide/${again.id}`, {
    granted: true,
    text: 'Both are hers',
  })
  expect(await pointsOf(ann)).toBe(before + 200)
  expect((await audit(app.app.core)).findings).toEqual([])
})

test('its reward is withheld if its author was rewarded for the same video', async () => {
  const { id, video } = await app.publishLesson(ann)
  await done(app, admin, `DELETE /lesson/${id}?reason=Not%20lawful`)
  await app.runJobs()
  expect((await app.publishLesson(ann, { video })).rewarded).toBe(true)
  const before = await pointsOf(ann)
  await restore()
  expect(await pointsOf(ann)).toBe(before)
  expect((await audit(app.app.core)).findings).toEqual([])
})

test('one that was hidden as a copy before it was deleted is hidden again, until that is appealed', async () => {
  const { article } = await app.publishLesson(bob)
  const copy = await app.publishLesson(ann, { article })
  const claim = await done<{ id: number }>(app, bob, `POST /lesson/claim/${copy.id}`)
  const decision = { outcome: 'removed', reason: 'Taken from Bob' }
  await done(app, admin, `POST /admin/flags/${claim.id}/outcome`, decision)
  const [removed] = await done<LogEntry[]>(app, admin, 'GET /admin/log')
  await done(app, admin, `DELETE /lesson/${copy.id}?reason=Not%20lawful`)
  await app.runJobs()
  await restore()
  const status = async () => (await app.call('GET', `/lesson/${copy.id}`)).status
  expect(await status()).toBe(404)
  const { id } = await appeal(ann, `act-${removed?.id ?? 0}`)
  await done(app, admin, `POST /appeal/decide/${id}`, { granted: true, text: 'It is hers' })
  expect(await status()).toBe(200)
  expect((await audit(app.app.core)).findings).toEqual([])
})
