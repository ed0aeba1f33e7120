import { describe, expect, test } from 'vitest'
import type { Problem } from '#contract/errors.ts'
import type { Lesson } from '#contract/lessons.ts'
import type { Notice } from '#contract/notices.ts'
import type { Ledger } from '#contract/points.ts'
import { payTrustedShares } from '#server/items/purchases/trusted-shares.ts'
import { audit } from '#server/operate/audit/audit.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { edit } from '#server/testing/learning/items.ts'
import { setUser } from '#server/testing/rows.ts'
import { openTestApp } from '#server/testing/setup.ts'

const SETTINGS = { DAILY_REWARD_LIMIT: '1000', LESSON_ON_TRUST: '1' }
const app = await openTestApp(SETTINGS)
const ann = await app.signUp('ann')
const { id: lessonId } = await app.publishLesson(ann)

const trust = (as: Person, id: number) =>
  app.call<Problem & { kbPoints: number }>('POST', `/lesson/trust/${id}`, { as })
const show = (as: Person | undefined, id: number) => done<Lesson>(app, as, `GET /lesson/${id}`)
const ledger = (as: Person) => done<Ledger>(app, as, 'GET /identity/points')
const netOf = async (person: Person) => {
  const { kbPoints, debt } = await ledger(person)
  return kbPoints - debt
}
/** The ledger entries about a lesson, oldest first. */
const entriesOf = async (person: Person, id: number) => {
  const { entries } = await ledger(person)
  const ofLesson = entries.filter(({ item }) => item?.id === id)
  return ofLesson.map(({ reason, amount }) => `${reason} ${amount}`).toReversed()
}
const pay = () => payTrustedShares(app.app.core)
const dueFrom = async ({ session }: Person) => {
  const { rows } = await app.app.database.pool.query<{ share: number }>(
    'select share from trusted_shares where user_id = $1',
    [session._id],
  )
  return rows.map(({ share }) => share)
}

let people = 0
/** Somebody who has confirmed their address and owns nothing. */
async function signUpNewcomer(points = 0): Promise<Person> {
  people += 1
  const person = await app.signUp(`newcomer${people}`)
  await setUser(app, person, { email_confirmed_at: new Date() })
  if (points > 0) await app.give(person, points)
  return person
}

describe('nothing is unlocked on trust', () => {
  const refuse = async (person: Person, id: number, status: number, title: string) => {
    const before = await ledger(person)
    const { status: got, body } = await trust(person, id)
    expect([got, body.title]).toEqual([status, title])
    expect(await ledger(person)).toEqual(before)
  }
  const onlyFirst =
    'Only people who have never unlocked or published anything can unlock a lesson on trust.'

  test('that is missing, deleted or one’s own, nor by administrators', async () => {
    const newcomer = await signUpNewcomer()
    const { id: gone } = await app.publishLesson(ann)
    await done(app, ann, `DELETE /lesson/${gone}`)
    for (const id of [gone, 999_999])
      await refuse(newcomer, id, 404, 'Lesson not found or deleted (sorry)')
    await refuse(ann, lessonId, 409, 'This is your own.')
    await setRole(app.app.database.db, newcomer.session.username, 'administrator')
    await refuse(newcomer, lessonId, 409, 'Administrators see everything and needn’t unlock it.')
  })

  test('while its video is gone', async () => {
    const { id } = await app.publishLesson(ann)
    const { pool } = app.app.database
    await pool.query(
      'update video_checks set failed_at = now(), gone_at = now() where lesson_id = $1',
      [id],
    )
    const told = 'The video can’t be played at the moment, so the lesson can’t be unlocked.'
    await refuse(await signUpNewcomer(), id, 409, told)
  })

  test('without a confirmed address, but the previous one counts until a change is confirmed', async () => {
    const person = await app.signUp('unconfirmed')
    await setUser(app, person, { email_confirmed_at: null })
    expect(await show(person, lessonId)).toMatchObject({ can: { buy: true, trust: false } })
    await refuse(person, lessonId, 409, 'Please confirm your e-mail address first.')
    await setUser(app, person, {
      previous_email: 'before@people.example',
      previous_email_folded: 'before@people.example',
      previous_email_confirmed_at: new Date(),
    })
    expect(await show(person, lessonId)).toMatchObject({ can: { trust: true } })
    expect((await trust(person, lessonId)).status).toBe(200)
  })

  test('with enough points, or with a debt', async () => {
    const rich = await signUpNewcomer(100)
    expect(await show(rich, lessonId)).toMatchObject({ can: { buy: true, trust: false } })
    await refuse(rich, lessonId, 409, 'You have enough KB Points for this.')
    const owing = await signUpNewcomer(-1)
    await app.give(owing, -1)
    expect(await show(owing, lessonId)).toMatchObject({ can: { buy: true, trust: false } })
    await refuse(owing, lessonId, 409, 'Please earn what you owe first.')
  })

  test('by somebody who has unlocked something, even if it was refunded', async () => {
    const person = await signUpNewcomer(100)
    const { id } = await app.publishLesson(ann)
    await done(app, person, `POST /lesson/buy/${id}`)
    await refuse(person, id, 409, 'This is already yours.')
    await refuse(person, lessonId, 409, onlyFirst)
    await done(app, ann, `DELETE /lesson/${id}`)
    await app.give(person, -50)
    expect(await show(person, lessonId)).toMatchObject({ can: { buy: true, trust: false } })
    await refuse(person, lessonId, 409, onlyFirst)
  })

  test('by somebody who has published something, even without a reward', async () => {
    const person = await signUpNewcomer()
    const { id } = await app.publishLesson(person)
    await done(app, person, `DELETE /lesson/${id}`)
    await refuse(person, lessonId, 409, onlyFirst)
  })

  test('on pages of guests and suspended people', async () => {
    expect(await show(undefined, lessonId)).toMatchObject({ can: { buy: false, trust: false } })
    const person = await signUpNewcomer()
    await setUser(app, person, { suspended_at: new Date() })
    expect(await show(person, lessonId)).toMatchObject({ can: { buy: false, trust: false } })
  })

  test('on pages of a site that doesn’t allow it', async () => {
    const other = await createTestApp()
    try {
      const author = await other.signUp('author')
      const { id } = await other.publishLesson(author)
      const person = await other.signUp('person')
      await setUser(other, person, { email_confirmed_at: new Date() })
      const { body } = await other.call('GET', `/lesson/${id}`, { as: person })
      expect(body).toMatchObject({ can: { buy: true, trust: false } })
      const { body: refusal } = await other.call<Problem>('POST', `/lesson/trust/${id}`, {
        as: person,
      })
      expect(refusal.title).toBe('Lessons can’t be unlocked on trust here.')
    } finally {
      await other.close()
    }
  })
})

test('the first reward pays a lesson that was unlocked on trust, and then its author gets the share', async () => {
  const author = await app.signUp('author')
  const { id, title } = await app.publishLesson(author)
  const earned = await netOf(author)
  const person = await signUpNewcomer()
  expect(await show(person, id)).toMatchObject({ can: { see: false, trust: true } })
  const { status, body } = await trust(person, id)
  expect([status, body]).toEqual([200, { kbPoints: 0 }])
  expect(await show(person, id)).toMatchObject({ bought: true, can: { see: true } })
  const owing = await ledger(person)
  expect(owing).toMatchObject({ kbPoints: 0, debt: 100, spent: 100, takenBack: 0 })
  expect(owing.entries[0]).toMatchObject({
    amount: -100,
    reason: 'trusted',
    balance: 0,
    item: { kind: 'lesson', id, title, gone: false },
  })
  await pay()
  expect([await netOf(author), await dueFrom(person)]).toEqual([earned, [10]])
  // Debt prevents everything else.
  expect((await app.call('POST', `/lesson/buy/${lessonId}`, { as: person })).status).toBe(400)

  await app.publishLesson(person)
  expect(await ledger(person)).toMatchObject({ kbPoints: 0, debt: 0 })
  await Promise.all([pay(), pay(), pay()])
  await pay()
  expect([await netOf(author), await dueFrom(person)]).toEqual([earned + 10, []])
  expect(await entriesOf(author, id)).toEqual(['created 100', 'share 10'])
  await app.runJobs()
  const { notices } = await done<{ notices: Notice[] }>(app, author, 'GET /notice/all')
  const told = notices.map(({ kind, detail, amount }) => `${kind} ${detail} ${amount}`)
  expect(told.toSorted()).toEqual(['points share 10', 'sold share 0'])
  expect((await trust(person, lessonId)).status).toBe(409)
})

test('points that a newcomer has are used first', async () => {
  const person = await signUpNewcomer(70)
  await trust(person, lessonId)
  expect(await ledger(person)).toMatchObject({ kbPoints: 0, debt: 30 })
  await app.publishLesson(person)
  expect(await ledger(person)).toMatchObject({ kbPoints: 70, debt: 0 })
})

test('a lesson that brought its author the maximum brings nothing more', async () => {
  const { id } = await app.publishLesson(ann)
  await app.app.database.db
    .insertInto('author_shares')
    .values({ item_kind: 'lesson', item_id: id, paid: 995, last: 995 })
    .execute()
  const [one, two] = [await signUpNewcomer(), await signUpNewcomer()]
  for (const person of [one, two]) {
    await trust(person, id)
    await app.publishLesson(person)
    await pay()
    expect(await dueFrom(person)).toEqual([])
  }
  expect(await entriesOf(ann, id)).toEqual(['created 100', 'share 5'])
  await app.app.database.pool.query(
    'update author_shares set paid = paid - 995 where item_id = $1',
    [id],
  )
})

test('an edit leaves a trusted lesson open', async () => {
  const { id } = await app.publishLesson(ann)
  const person = await signUpNewcomer()
  await trust(person, id)
  await edit(app, ann, ['lesson', id], { title: 'Another title' })
  expect(await show(person, id)).toMatchObject({ title: 'Another title', can: { see: true } })
  expect(await netOf(person)).toBe(-100)
})

test('the deletion of a trusted lesson ends the debt, but doesn’t renew the trust', async () => {
  const { id } = await app.publishLesson(ann)
  const [owing, repaid] = [await signUpNewcomer(30), await signUpNewcomer()]
  for (const person of [owing, repaid]) await trust(person, id)
  await app.publishLesson(repaid)
  await pay()
  await done(app, ann, `DELETE /lesson/${id}`)
  expect(await entriesOf(ann, id)).toEqual([
    'created 100',
    'share 10',
    'shareReturned -10',
    'rewardWithdrawn -100',
  ])
  expect(await entriesOf(owing, id)).toEqual(['trusted -100', 'refunded 100'])
  expect([await netOf(owing), await netOf(repaid)]).toEqual([30, 100])
  expect(await dueFrom(owing)).toEqual([])
  expect((await trust(owing, lessonId)).status).toBe(409)
})

test('an erased author’s share lapses, and a suspended author’s doesn’t', async () => {
  const gone = await app.signUp('gone')
  const suspended = await app.signUp('suspended')
  const buyers: [Person, Person] = [await signUpNewcomer(), await signUpNewcomer()]
  const lessons = [await app.publishLesson(gone), await app.publishLesson(suspended)]
  for (const [place, { id }] of lessons.entries()) await trust(buyers[place] ?? ann, id)
  await done(app, gone, 'POST /identity/erase', { password: gone.password })
  await app.runJobs()
  await setUser(app, suspended, { suspended_at: new Date() })
  const [ofGone, ofSuspended] = buyers
  expect([await netOf(ofGone), await dueFrom(ofGone)]).toEqual([-100, []])
  expect(await show(ofGone, lessons[0]?.id ?? 0)).toMatchObject({ can: { see: true } })
  await app.publishLesson(ofSuspended)
  await pay()
  expect((await entriesOf(suspended, lessons[1]?.id ?? 0)).at(-1)).toBe('share 10')
})

test('nobody waits for the debt of an erased buyer', async () => {
  const person = await signUpNewcomer()
  await trust(person, lessonId)
  await done(app, person, 'POST /identity/erase', { password: person.password })
  await app.runJobs()
  expect(await dueFrom(person)).toEqual([])
})

test('the audit finds nothing in any of it', async () => {
  const { findings } = await audit(app.app.core, { isLive: false })
  expect(findings).toEqual([])
})
