import { describe, expect, test } from 'vitest'
import type { CaptionOffer, Captions } from '#contract/captions.ts'
import type { Problem } from '#contract/errors.ts'
import type { Lesson } from '#contract/lessons.ts'
import { CAPTION_REWARD } from '#contract/caption-limits.ts'
import type { Notice } from '#contract/notices.ts'
import type { Ledger } from '#contract/points.ts'
import { forgetOffers } from '#server/items/captions/store.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { lockBalance } from '#server/people/points/ledger.ts'
import type { Person } from '#server/testing/app.ts'
import { done, statusesOf } from '#server/testing/http/answers.ts'
import { signUpAll } from '#server/testing/people.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({ DAILY_REWARD_LIMIT: '1000', WELCOME_POINTS: '50000' })
const { ann, bob, eve, mod } = await signUpAll(app, 'ann', 'bob', 'eve', 'mod')
await setRole(app.app.database.db, 'mod', 'administrator')

/** Captions of five words, which resemble no others. */
let written = 0
const fileOf = (...lines: string[]) => {
  written += 1
  const spoken = lines.length > 0 ? lines : [`line ${written} says ${written * 7} words`]
  return `WEBVTT\n\n${spoken.map((text, place) => `00:0${place}.000 --> 00:0${place + 1}.000\n${text}`).join('\n\n')}\n`
}

const publish = async (...buyers: Person[]) => {
  const { id } = await app.publishLesson(ann)
  for (const as of buyers) await done(app, as, `POST /lesson/buy/${id}`)
  return id
}
const put = (id: number, text: string, { as = ann, language = 'en' } = {}) =>
  app.call<Problem>('PUT', `/caption/${id}/${language}`, { as, json: { text } })
const show = (id: number, as = ann) => app.call<Captions[]>('GET', `/caption/${id}`, { as })
const offer = (id: number, text = fileOf(), { as = bob, language = 'en' } = {}) =>
  app.call<Problem & { id: number }>('POST', `/caption/${id}/offer`, {
    as,
    json: { language, text },
  })
const offered = async (id: number, text?: string, how?: { as?: Person; language?: string }) => {
  const { status, body } = await offer(id, text, how)
  expect(status).toBe(200)
  return body.id
}
const offersOf = (id: number, as = ann) =>
  done<CaptionOffer[]>(app, as, `GET /caption/${id}/offers`)
const decide = (id: number, verb: 'accept' | 'decline', { as = ann, answer = 'Thank you' } = {}) =>
  app.call<{ amount: number }>('POST', `/caption/offer/${id}/${verb}`, { as, json: { answer } })
const accepted = async (id: number) => (await decide(id, 'accept')).body.amount
const noticesOf = async (as: Person, id: number) => {
  await app.runJobs()
  return (await done<{ notices: Notice[] }>(app, as, 'GET /notice/all')).notices.filter(
    ({ kind, item }) => kind === 'captions' && item?.id === id,
  )
}
/** Moves what was decided back, because sessions end when the clock moves on. */
const aDayPasses = () =>
  app.app.database.pool.query(
    `update caption_offers set decided_at = decided_at - interval '1 day'`,
  )
const pointsOf = async (as: Person) =>
  (await done<Ledger>(app, as, 'GET /identity/points')).kbPoints

describe('an author’s captions', () => {
  test('are read by those who may see the lesson, and by nobody else', async () => {
    const id = await publish(bob)
    expect((await put(id, fileOf('Good morning'))).status).toBe(200)
    expect((await show(id, bob)).body).toEqual([
      { language: 'en', cues: [{ from: 0, to: 1, text: 'Good morning' }] },
    ])
    expect((await show(id, eve)).status).toBe(403)
    expect((await app.call('GET', `/caption/${id}`)).status).toBe(401)
    expect((await show(999_999_999)).status).toBe(404)
  })
  test('are written by nobody else, except administrators, of whom the author is told', async () => {
    const id = await publish(bob)
    for (const as of [bob, eve]) expect((await put(id, fileOf(), { as })).status).toBe(403)
    expect((await show(id)).body).toEqual([])
    expect((await put(id, fileOf(), { as: mod })).status).toBe(200)
    const { entries } = await done<Ledger>(app, ann, 'GET /identity/points')
    expect(entries[0]).toMatchObject({ reason: 'edited', item: { id } })
  })
  test('with a mistake are refused at the field with the line, in the caller’s language', async () => {
    const id = await publish()
    const json = { text: `${fileOf('fine')}\n\nanother\nline` }
    const { status, body } = await app.call<Problem>('PUT', `/caption/${id}/en`, {
      as: ann,
      json,
      headers: { 'accept-language': 'bg' },
    })
    expect([status, body.errors?.['text']]).toEqual([
      400,
      [expect.stringMatching(/^Ред 7: липсват/)],
    ])
  })
  test('a file of almost a megabyte is stored, and a larger one is refused', async () => {
    const id = await publish()
    const block = `00:00:01,000 --> 00:00:02,000\n${'дума '.repeat(12)}\n\n`
    const fits = block.repeat(Math.floor(990_000 / Buffer.byteLength(block)))
    expect((await put(id, fits)).status).toBe(200)
    const [stored] = (await show(id)).body
    expect(stored?.cues.length).toBeGreaterThan(5000)
    expect((await put(id, fits + block.repeat(100))).status).toBe(400)
    expect((await put(id, 'x'.repeat(3_000_000))).status).toBe(413)
  })
  test('are in three languages at most, which can be replaced and deleted', async () => {
    const id = await publish()
    for (const language of ['en', 'bg', 'de']) await put(id, fileOf(), { language })
    expect((await put(id, fileOf(), { language: 'fr' })).status).toBe(409)
    expect((await put(id, fileOf('Anew'), { language: 'bg' })).status).toBe(200)
    const drop = () => app.call('DELETE', `/caption/${id}/de`, { as: ann })
    expect([(await drop()).status, (await drop()).status]).toEqual([204, 404])
    expect((await show(id)).body.map(({ language }) => language)).toEqual(['bg', 'en'])
  })
  test('the locked page names their languages, lists are filtered by them, and both follow at once', async () => {
    const id = await publish()
    const inside = async () =>
      (await done<Lesson>(app, undefined, `GET /lesson/${id}`)).inside.captions
    const listed = async (language: string) =>
      (await done<{ id: number }[]>(app, undefined, `GET /lesson/all?captions=${language}`)).map(
        (lesson) => lesson.id,
      )
    expect([await inside(), await listed('sq')]).toEqual([[], []])
    await put(id, fileOf(), { language: 'sq' })
    expect([await inside(), await listed('sq')]).toEqual([['sq'], [id]])
    expect((await app.call('GET', '/lesson/all?captions=xx')).status).toBe(400)
  })
  test('are deleted with the lesson', async () => {
    const id = await publish(bob)
    await put(id, fileOf())
    await offered(id, fileOf(), { language: 'bg' })
    await done(app, ann, `DELETE /lesson/${id}`)
    expect((await show(id, bob)).status).toBe(404)
    const { rows } = await app.app.database.pool.query(
      `select lesson_id from lesson_captions where lesson_id = $1
       union all select lesson_id from caption_offers where lesson_id = $1`,
      [id],
    )
    expect(rows).toEqual([])
  })
})

describe('an offer', () => {
  test('is made by people who unlocked the lesson, and not by its author', async () => {
    const id = await publish(bob)
    for (const as of [ann, eve, mod]) expect((await offer(id, fileOf(), { as })).status).toBe(403)
    expect((await offer(id, 'prose')).body.errors?.['text']?.[0]).toContain('Line 1')
    await offered(id)
    expect(await offersOf(id, bob)).toMatchObject([{ state: 'open', amount: 0, cues: [] }])
  })
  test('is decided by the author alone', async () => {
    const id = await publish(bob, eve)
    const offerId = await offered(id)
    for (const as of [bob, eve]) {
      expect((await decide(offerId, 'accept', { as })).status).toBe(403)
      expect((await decide(offerId, 'decline', { as })).status).toBe(403)
    }
    expect(await offersOf(id, eve)).toEqual([])
  })
  test('an administrator can’t accept what they offered', async () => {
    const id = await publish()
    const { rows } = await app.app.database.pool.query<{ id: number }>(
      `insert into caption_offers (lesson_id, language, user_id, cues, created_at)
       values ($1, 'en', $2, '[]', now()) returning id`,
      [id, mod.session._id],
    )
    expect((await decide(rows[0]?.id ?? 0, 'accept', { as: mod })).status).toBe(403)
  })
  test('of exactly the present captions is refused, and the same person’s next one replaces it', async () => {
    const id = await publish(bob)
    const present = fileOf()
    await put(id, present)
    expect((await offer(id, present)).status).toBe(409)
    const first = await offered(id)
    const second = await offered(id, fileOf('A better one'))
    expect((await offersOf(id)).map(({ cues }) => cues[0]?.text)).toEqual(['A better one'])
    // The author may have compared the former text.
    expect((await decide(first, 'accept')).status).toBe(404)
    expect((await decide(second, 'accept')).status).toBe(200)
    expect(await noticesOf(ann, id)).toMatchObject([{ detail: 'offered' }])
  })
  test('accepted by an administrator, is paid, and the author is told of the change', async () => {
    const id = await publish(bob)
    expect((await decide(await offered(id), 'accept', { as: mod })).body).toEqual({ amount: 25 })
    const { entries } = await done<Ledger>(app, ann, 'GET /identity/points')
    expect(entries[0]).toMatchObject({ reason: 'edited', item: { id } })
  })
  test('accepted, it replaces the captions, pays once, and both are told', async () => {
    const id = await publish(bob)
    const offerId = await offered(id, fileOf('Said by Bob in five words'))
    const before = await pointsOf(bob)
    const answers = await Promise.all([decide(offerId, 'accept'), decide(offerId, 'accept')])
    expect(statusesOf(answers)).toEqual([200, 404])
    expect((await pointsOf(bob)) - before).toBe(CAPTION_REWARD)
    expect((await show(id, bob)).body[0]?.cues[0]?.text).toBe('Said by Bob in five words')
    expect(await offersOf(id, bob)).toMatchObject([
      { state: 'accepted', answer: 'Thank you', amount: CAPTION_REWARD, cues: [] },
    ])
    const ledger = await done<Ledger>(app, bob, 'GET /identity/points')
    expect(ledger.entries[0]).toMatchObject({ reason: 'captioned', amount: 25, item: { id } })
    expect(await noticesOf(ann, id)).toMatchObject([{ detail: 'offered' }])
    expect(await noticesOf(bob, id)).toMatchObject([{ detail: 'accepted', amount: 25 }])
  })
  test('declined, it changes nothing and says why', async () => {
    const id = await publish(bob)
    const offerId = await offered(id)
    expect((await decide(offerId, 'decline', { answer: 'Too early' })).status).toBe(204)
    expect((await show(id)).body).toEqual([])
    expect(await offersOf(id, bob)).toMatchObject([{ state: 'declined', answer: 'Too early' }])
    expect(await offersOf(id)).toEqual([])
  })
})

describe('accepted captions are not paid', () => {
  test('for a language that was paid, or if they resemble captions of any language', async () => {
    const id = await publish(bob, eve)
    const words = Array.from({ length: 40 }, (_, place) => `word${place}`).join(' ')
    expect(await accepted(await offered(id, fileOf(words), { as: eve }))).toBe(25)
    expect(await accepted(await offered(id, fileOf('Quite another one now'), { as: eve }))).toBe(0)
    await put(id, fileOf(words))
    const copied = fileOf(`${words} more`)
    expect(await accepted(await offered(id, copied, { as: eve, language: 'bg' }))).toBe(0)
    expect(await accepted(await offered(id, fileOf(), { as: eve, language: 'bg' }))).toBe(25)
  })
  test('after four in a day', async () => {
    await aDayPasses()
    const amounts: number[] = []
    for (let place = 0; place < 6; place += 1) {
      if (place === 5) await aDayPasses()
      amounts.push(await accepted(await offered(await publish(bob))))
    }
    expect(amounts).toEqual([25, 25, 25, 25, 0, 25])
  })
  test('again after the account was erased', async () => {
    const dan = await app.signUp('dan')
    const id = await publish(dan, bob)
    expect(await accepted(await offered(id, fileOf(), { as: dan }))).toBe(25)
    const open = await offered(id, fileOf(), { as: dan })
    await done(app, dan, 'POST /identity/erase', { password: dan.password })
    expect((await decide(open, 'accept')).status, 'before the job').toBe(404)
    expect(await offersOf(id)).toEqual([])
    await app.runJobs()
    expect((await decide(open, 'accept')).status).toBe(404)
    await aDayPasses()
    expect(await accepted(await offered(id, fileOf('Not like it'), { as: bob }))).toBe(0)
  })
})

test('the erasure of an account waits for a decision, so no points are paid without a row of the offer', async () => {
  const { db, pool } = app.app.database
  const gus = await app.signUp('gus')
  const id = await publish(gus)
  const offerId = await offered(id, fileOf(), { as: gus })
  const userId = gus.session._id
  const waiting = (count: number) =>
    expect
      .poll(async () => {
        const { rows } = await pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return rows.length
      })
      .toBe(count)
  const { deciding, erasing } = await db.transaction().execute(async (tx) => {
    await lockBalance(tx, userId)
    const accepting = decide(offerId, 'accept')
    await waiting(1)
    const forgetting = forgetOffers(db, userId)
    await waiting(2)
    // In an object, because the transaction would await a promise.
    return { deciding: accepting, erasing: forgetting }
  })
  expect((await deciding).body).toEqual({ amount: 25 })
  await erasing
  const { rows } = await pool.query(
    'select user_id, amount from caption_offers where lesson_id = $1',
    [id],
  )
  expect(rows).toEqual([{ user_id: null, amount: 25 }])
})

test('an open offer ends when its person returns the lesson, or the erased author leaves it to buyers', async () => {
  const dan = await app.signUp('dan')
  const { id } = await app.publishLesson(dan)
  for (const as of [bob, eve]) await done(app, as, `POST /lesson/buy/${id}`)
  const kept = await publish(bob)
  const open = async () => {
    const { rows } = await app.app.database.pool.query<{ user_id: string }>(
      `select user_id from caption_offers where lesson_id = any($1) and decided_at is null order by lesson_id, user_id`,
      [[id, kept]],
    )
    return rows.map((row) => row.user_id)
  }
  await offered(kept)
  for (const as of [bob, eve]) await offered(id, fileOf(), { as })
  await done(app, bob, `POST /lesson/return/${id}`)
  expect(await open()).toEqual([eve.session._id, bob.session._id])
  await done(app, dan, 'POST /identity/erase', { password: dan.password })
  await app.runJobs()
  expect(await open()).toEqual([bob.session._id])
})

test('a person has at most ten open offers of the last 30 days', async () => {
  const zoe = await app.signUp('zoe')
  const languages = ['en', 'bg', 'de', 'fr', 'es', 'it', 'pl', 'nl', 'pt', 'ro', 'ru']
  const id = await publish(zoe)
  const answers = []
  for (const language of languages) answers.push(await offer(id, fileOf(), { as: zoe, language }))
  expect(statusesOf(answers)).toEqual([...Array.from({ length: 10 }, () => 200), 409])
  await app.app.database.pool.query(
    `update caption_offers set created_at = created_at - interval '31 days' where lesson_id = $1`,
    [id],
  )
  expect((await offer(id, fileOf(), { as: zoe, language: 'ru' })).status).toBe(200)
})
