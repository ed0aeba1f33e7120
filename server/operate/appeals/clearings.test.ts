/** What stays after people decided that a lesson is no copy: its reward, its author's share, and the right to appeal. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Appeal, DeskAppeal } from '#contract/appeals.ts'
import { audit } from '#server/operate/audit/audit.ts'
import { deleteOldClosedFlags } from '#server/items/flags/store.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { balanceOf } from '#server/people/points/ledger.ts'
import { lessonForm, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { signUpAll } from '#server/testing/people.ts'
import { openTestApp } from '#server/testing/setup.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const app = await openTestApp({ DAILY_REWARD_LIMIT: '1000', AUTHOR_SHARE: '10' })
const { ann, bob, admin } = await signUpAll(app, 'ann', 'bob', 'admin')
const { db } = app.app.database
await setRole(db, 'admin', 'administrator')
beforeEach(() => {
  app.clock.time = null
})

const appeal = (as: Person, id: number) =>
  app.call<Appeal>('POST', '/appeal/create', {
    as,
    json: { act: `reward-${id}`, text: 'It is my own translation' },
  })
const decide = (id: number, granted: boolean) =>
  done<DeskAppeal>(app, admin, `POST /appeal/decide/${id}`, { granted, text: 'I compared them' })
const grant = async (as: Person, lessonId: number) => {
  const { status, body } = await appeal(as, lessonId)
  expect(status).toBe(200)
  await decide(body.id, true)
}
const pointsOf = async (person: Person) => (await balanceOf(db, person.session._id)).kbPoints
const rewrite = async (as: Person, id: number, article: string) =>
  done(app, as, `PUT /lesson/${id}`, await lessonForm({ article }))

let buyers = 0
/** Returns what the author gets. */
async function sell(author: Person, id: number): Promise<number> {
  const before = await pointsOf(author)
  buyers += 1
  const buyer = await app.signUp(`buyer${buyers}`)
  await app.give(buyer, 100)
  await done(app, buyer, `POST /lesson/buy/${id}`)
  return (await pointsOf(author)) - before
}

/** A lesson of Ann, and one of Bob with almost the same article, which is not rewarded. */
async function copied() {
  const original = await app.publishLesson(ann)
  const copy = await app.publishLesson(bob, { article: original.article })
  expect(copy.rewardReason).toBe('sameArticle')
  return { original, copy }
}

describe('a reward granted on appeal', () => {
  test('stays when the article is edited, and so does the author’s share', async () => {
    const { copy } = await copied()
    expect(await sell(bob, copy.id)).toBe(0)
    await grant(bob, copy.id)
    expect(await sell(bob, copy.id)).toBe(10)
    const before = await pointsOf(bob)
    await rewrite(bob, copy.id, `${copy.article}<p>And a word.</p>`)
    expect(await pointsOf(bob)).toBe(before)
    expect(await sell(bob, copy.id)).toBe(10)
    expect((await audit(app.app.core)).findings).toEqual([])
  })

  test('is lost with the article of another lesson; that decision can be appealed again', async () => {
    const { copy } = await copied()
    const other = await app.publishLesson(ann)
    await grant(bob, copy.id)
    const before = await pointsOf(bob)
    await rewrite(bob, copy.id, other.article)
    expect(await pointsOf(bob)).toBe(before - 100)
    const sent = await Promise.all([appeal(bob, copy.id), appeal(bob, copy.id)])
    expect(sent.map(({ status }) => status)).toEqual([200, 200])
    expect(sent[0]?.body).toEqual(sent[1]?.body)
    expect(sent[0]?.body.decided).toBe(null)
    const open = await done<DeskAppeal[]>(app, admin, 'GET /appeal/all')
    expect(open).toHaveLength(1)
    expect(open[0]?.act.action).toBe('rewardWithdrawn')
    await decide(sent[0]?.body.id ?? 0, true)
    expect(await pointsOf(bob)).toBe(before)
    const decided = await done<DeskAppeal[]>(app, admin, 'GET /appeal/all?decided=true')
    expect(decided.slice(0, 2).map(({ act }) => act.action)).toEqual([
      'rewardWithdrawn',
      'rewardWithheld',
    ])
    expect((await audit(app.app.core)).findings).toEqual([])
  })

  test('can be looked up; a lesson with its reward can’t be appealed about', async () => {
    const { copy } = await copied()
    await grant(bob, copy.id)
    const shown = await done<{ appeal: Appeal }>(app, bob, `GET /appeal/act/reward-${copy.id}`)
    expect(shown.appeal.decided).toMatchObject({ granted: true, text: 'I compared them' })
    const rewarded = await app.publishLesson(bob)
    expect((await appeal(bob, rewarded.id)).status).toBe(404)
  })
})

test('a cleared lesson brings its author a share when the report is long deleted', async () => {
  const { copy } = await copied()
  const { id } = await done<{ id: number }>(app, ann, `POST /lesson/claim/${copy.id}`)
  const judge = (outcome?: string) =>
    done(app, admin, `POST /admin/flags/${id}/outcome`, { outcome })
  await judge('fine')
  expect(await sell(bob, copy.id)).toBe(10)
  await judge('copy')
  expect(await sell(bob, copy.id)).toBe(0)
  await judge('fine')
  await judge()
  expect(await sell(bob, copy.id)).toBe(0)
  await judge('fine')
  await deleteOldClosedFlags(db, new Date(Date.now() + 366 * DAY_MS))
  expect(await sell(bob, copy.id)).toBe(10)
})

test('a decision that a lesson is a copy overrules an appeal until it is undone', async () => {
  const { copy } = await copied()
  await grant(bob, copy.id)
  const { id } = await done<{ id: number }>(app, ann, `POST /lesson/claim/${copy.id}`)
  const judge = (outcome?: string) =>
    done(app, admin, `POST /admin/flags/${id}/outcome`, { outcome })
  await judge('copy')
  expect(await sell(bob, copy.id)).toBe(0)
  await judge()
  expect(await sell(bob, copy.id)).toBe(10)
  await judge('fine')
  await judge()
  expect(await sell(bob, copy.id)).toBe(10)
})
