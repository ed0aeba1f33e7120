/** Checks videos against an endpoint that answers, hangs, lies, throttles and disappears. */
import type { ServerResponse } from 'node:http'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { Problem } from '#contract/errors.ts'
import type { Lesson } from '#contract/lessons.ts'
import type { Notice } from '#contract/notices.ts'
import type { videoChecks } from '#contract/video-checks.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { checkVideos } from '#server/items/lessons/video/checking.ts'
import { checksVideos } from '#server/items/lessons/video/oembed.ts'
import { createTestApp } from '#server/testing/app.ts'
import { done, refusalOf } from '#server/testing/http/answers.ts'
import { buy, edit } from '#server/testing/learning/items.ts'
import { settleAll } from '#server/testing/learning/notices.ts'
import { signUpAll } from '#server/testing/people.ts'
import { startReceiver } from '#server/testing/webhooks/receiver.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const youtube = await startReceiver()
const app = await createTestApp({
  VIDEO_CHECK_URL: youtube.url,
  DAILY_REWARD_LIMIT: '1000',
  WELCOME_POINTS: '5000',
})
const { ann, bob } = await signUpAll(app, 'ann', 'bob')
const { pool } = app.app.database
afterAll(async () => {
  await app.close()
  await youtube.close()
})

type Answer = (response: ServerResponse) => void
const playable: Answer = (response) => response.end(JSON.stringify({ title: 'Knots', html: '<i>' }))
const gone: Answer = (response) => response.writeHead(404).end('Not Found')
/** Answers by the id of the video; the others can be played. */
let answers = new Map<string, Answer>()
let others: Answer = playable
const idOf = (path: string) => /watch%3Fv%3D([\w-]{11})/.exec(path)?.[1] ?? ''

let time = new Date()
const clock = { now: () => time }
const pass = (ms: number) => {
  time = new Date(time.getTime() + ms)
}
const { signal } = new AbortController()
const check = (core = app.app.core) => checkVideos({ ...core, clock }, { signal }, 0)
/** Lets everything be due, and checks it. Returns the videos that were asked about. */
async function checkAll(): Promise<string[]> {
  youtube.received.length = 0
  await pool.query('update video_checks set due_at = $1', [time])
  await check()
  return youtube.received.map(({ path }) => idOf(path))
}
const show = (id: number, as = bob) => done<Lesson>(app, as, `GET /lesson/${id}`)
const marked = async () => {
  const { rows } = await pool.query<{ id: number }>(
    'select lesson_id as id from video_checks where gone_at is not null order by 1',
  )
  return rows.map(({ id }) => id)
}
let count = 0
async function publish(answer?: Answer): Promise<{ id: number; video: string }> {
  count += 1
  const video = `AbCdEfGh${String(count).padStart(3, '0')}`
  const { id } = await app.publishLesson(ann, { video: `https://youtu.be/${video}` })
  if (answer !== undefined) answers.set(video, answer)
  time = new Date(Math.max(Date.now(), time.getTime()))
  return { id, video }
}

youtube.answer = (response, { path }) => (answers.get(idOf(path)) ?? others)(response)
const few = await Promise.all(Array.from({ length: 4 }, () => publish()))
beforeEach(async () => {
  answers = new Map()
  others = playable
  time = new Date()
  await pool.query(`update video_checks set due_at = 'infinity', failed_at = null, gone_at = null`)
  await pool.query('delete from video_checker')
})

test('a new lesson’s video is due at once, and again after about a week; the request never waits', async () => {
  others = () => {}
  const began = performance.now()
  const { video } = await publish()
  expect(performance.now() - began).toBeLessThan(1500)
  others = playable
  youtube.received.length = 0
  await check()
  expect(youtube.received.map(({ path }) => idOf(path))).toEqual([video])
  expect(youtube.received[0]?.path).toMatch(/format=json$/)
  await check()
  pass(6 * DAY)
  await check()
  expect(youtube.received).toHaveLength(1)
  pass(2 * DAY)
  await check()
  expect(youtube.received).toHaveLength(2)
})

test('a lesson that an older version published is checked as well', async () => {
  const { id, video } = await publish()
  await pool.query('delete from video_checks where lesson_id = $1', [id])
  youtube.received.length = 0
  await check()
  expect(youtube.received.map(({ path }) => idOf(path))).toEqual([video])
})

test('requests are at least half a second apart', async () => {
  await pool.query('update video_checks set due_at = $1', [time])
  const at: number[] = []
  others = (response) => {
    at.push(performance.now())
    playable(response)
  }
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 1800)
  await checkVideos({ ...app.app.core, clock }, { signal: stop.signal })
  expect(at.length).toBeGreaterThan(2)
  expect(Math.min(...at.slice(1).map((each, n) => each - (at[n] ?? 0)))).toBeGreaterThan(450)
})

test('is off without an endpoint and, unless another one is chosen, without a public address', () => {
  const url = 'https://www.youtube.com/oembed'
  const site = 'https://bazaar.example'
  expect(checksVideos({ VIDEO_CHECK_URL: '', PUBLIC_URL: site })).toBe(false)
  expect(checksVideos({ VIDEO_CHECK_URL: url, PUBLIC_URL: undefined })).toBe(false)
  expect(checksVideos({ VIDEO_CHECK_URL: url, PUBLIC_URL: site })).toBe(true)
  expect(checksVideos({ VIDEO_CHECK_URL: youtube.url, PUBLIC_URL: undefined })).toBe(true)
})

describe('a lesson whose video is gone twice, a day apart,', () => {
  let id = 0
  let video = ''
  beforeEach(async () => {
    ;({ id, video } = await publish(gone))
    await buy(app, bob, 'lesson', id)
    await done(app, bob, `PUT /progress/${id}`, { done: true })
    await check()
    pass(DAY - HOUR)
    expect(await checkAll()).toContain(video)
    expect(await marked()).toEqual([])
    pass(HOUR)
    await check()
    expect(await marked()).toEqual([id])
  })

  test('is marked, its author is told, and it is not sold', async () => {
    const dan = await app.signUp(`dan${id}`)
    const locked = await show(id, dan)
    expect(locked).toMatchObject({ videoGone: true, can: { see: false, buy: false } })
    const guest = await done<Lesson>(app, undefined, `GET /lesson/${id}`)
    expect(guest.videoGone).toBe(true)
    const sale = await app.call<Problem>('POST', `/lesson/buy/${id}`, { as: dan })
    expect(refusalOf(sale)).toBe('409 lessonVideoGone')
    app.clock.time = time
    await settleAll(app)
    app.clock.time = null
    const { notices } = await done<{ notices: Notice[] }>(app, ann, 'GET /notice/all')
    const told = notices.filter(({ kind, item }) => kind === 'video' && item?.id === id)
    expect(told).toHaveLength(1)
  })

  test('is recommended nowhere until it can be played again', async () => {
    const eve = await app.signUp(`eve${id}`)
    const beside = (await publish(playable)).id
    await pool.query('update lessons set views = 1000 where id = any($1)', [[id, beside]])
    await pool.query('update lessons set views = 1001 where id = $1', [id])
    await pool.query(
      `insert into lesson_tags (tag, lesson_id)
      select tag, id from unnest(array['oboe', 'reed']) tag, unnest($1::bigint[]) id`,
      [[id, beside]],
    )
    const offered = async () => {
      const paths = ['popular', 'recommended', `recommended?lesson=${beside}`, `also/${beside}`]
      const found = await Promise.all(
        paths.map((path) => done<unknown>(app, eve, `GET /lesson/${path}`)),
      )
      return found.map((each) => JSON.stringify(each).includes(`"id":${id},`))
    }
    expect(await offered()).toEqual([false, false, false, false])
    answers.set(video, playable)
    pass(DAY)
    await check()
    expect(await offered()).toEqual([true, true, true, true])
  })

  test('can be returned for 90 days, whatever its buyer has seen, and that counts for no limit', async () => {
    const age = (days: number) =>
      pool.query(
        `update lesson_purchases set created_at = now() - $2 * interval '1 day' where lesson_id = $1`,
        [id, days],
      )
    await age(90)
    expect((await show(id)).returnable).toBeNull()
    await age(89)
    const { returnable } = await show(id)
    expect((new Date(returnable?.until ?? 0).getTime() - Date.now()) / DAY).toBeCloseTo(1, 1)
    await done(app, bob, `POST /lesson/return/${id}`)
    const { rows } = await pool.query(
      `select amount from point_entries where user_id = $1 and item_id = $2 and reason = 'videoGone'`,
      [bob.session._id, id],
    )
    expect(rows).toEqual([{ amount: 100 }])
  })

  test('is checked daily, and all of it ends when the video can be played again', async () => {
    answers.set(video, playable)
    pass(DAY)
    await check()
    expect(await marked()).toEqual([])
    const lesson = await show(id)
    expect(lesson).toMatchObject({ videoGone: false, returnable: null })
  })

  test('is not marked any more with another video, or when the checks are turned off', async () => {
    await edit(app, ann, ['lesson', id], { video: 'https://youtu.be/ZyXwVuTs987' })
    expect((await show(id)).videoGone).toBe(false)
    await pool.query('update video_checks set failed_at = $2, gone_at = $2 where lesson_id = $1', [
      id,
      time,
    ])
    const { core } = app.app
    await check({ ...core, config: { ...core.config, VIDEO_CHECK_URL: '' } })
    expect(await marked()).toEqual([])
  })
})

test('one that can be played in between is not marked', async () => {
  const { video } = await publish(gone)
  await check()
  pass(DAY)
  answers.set(video, playable)
  await checkAll()
  answers.set(video, gone)
  pass(DAY)
  await checkAll()
  expect(await marked()).toEqual([])
})

test.each<[string, Answer]>([
  ['fails', (response) => response.writeHead(500).end()],
  ['throttles', (response) => response.writeHead(429, { 'retry-after': '60' }).end()],
  ['hangs', () => {}],
  ['hangs up', (response) => response.destroy()],
  ['redirects', (response) => response.writeHead(302, { location: youtube.url }).end()],
  ['lies in HTML', (response) => response.end('<html><title>Sign in</title></html>')],
  ['lies in JSON', (response) => response.end('{"error":"not here"}')],
  ['answers too much', (response) => response.end(JSON.stringify({ title: 'x'.repeat(70_000) }))],
])('a checker that %s marks nothing, is asked less and less, and recovers', async (_, answer) => {
  others = answer
  expect(await checkAll()).toHaveLength(1)
  for (const minutes of [1, 2, 4]) {
    pass(minutes * 60_000 - 1000)
    expect(await checkAll(), 'while it waits').toEqual([])
    pass(1000)
    expect(await checkAll(), `after ${minutes} minutes`).toHaveLength(1)
  }
  expect(await marked()).toEqual([])
  const { rows } = await pool.query('select from video_checks where failed_at is not null')
  expect(rows).toEqual([])
  others = playable
  pass(8 * 60_000)
  expect((await checkAll()).length).toBeGreaterThan(few.length)
  expect((await checkAll()).length).toBeGreaterThan(few.length)
})

test('a checker that disappears marks nothing', async () => {
  const { core } = app.app
  const away = { ...core, config: { ...core.config, VIDEO_CHECK_URL: 'http://127.0.0.1:9/oembed' } }
  await pool.query('update video_checks set due_at = $1', [time])
  await check(away)
  pass(2 * DAY)
  await pool.query('update video_checks set due_at = $1', [time])
  await check(away)
  expect(await marked()).toEqual([])
})

test('a checker that finds everything gone marks nothing and says so, until it works again', async () => {
  others = gone
  await checkAll()
  for (const _day of [1, 2]) {
    pass(DAY)
    await checkAll()
    expect(await marked()).toEqual([])
  }
  const { rows } = await pool.query<{ held: number; held_at: Date }>('select * from video_checker')
  expect(rows).toMatchObject([{ held_at: time }])
  expect(rows[0]?.held).toBeGreaterThan(few.length)
  others = playable
  const { id, video } = await publish(gone)
  await checkAll()
  pass(DAY)
  await checkAll()
  expect(await marked(), `of ${video} alone`).toEqual([id])
})

test('the desk lists what failed, says why nothing changes, and has one checked again', async () => {
  const admin = await app.signUp('administrator1')
  await setRole(app.app.database.db, admin.session.username, 'administrator')
  const list = () => done<AnswerOf<typeof videoChecks.list>>(app, admin, 'GET /admin/videos')
  const { id, video } = await publish(gone)
  await check()
  expect(await list()).toMatchObject({
    videos: [{ lesson: { id }, owner: { userName: 'ann' }, gone: null }],
    on: true,
    silentUntil: null,
    held: null,
  })
  await pool.query('update video_checks set gone_at = $2 where lesson_id = $1', [id, time])
  await pool.query(
    `insert into video_checker (failures, retry_at, held_at, held) values (2, $1, $2, 7)`,
    [new Date(time.getTime() + HOUR), new Date()],
  )
  expect(await list()).toMatchObject({ silentUntil: expect.any(String), held: 7 })
  answers.set(video, playable)
  youtube.received.length = 0
  await check()
  expect(youtube.received).toEqual([])
  await done(app, admin, `POST /admin/videos/${id}/check`)
  pass(HOUR / 60)
  await check()
  expect((await list()).videos).toEqual([])
  const again = await app.call<Problem>('POST', `/admin/videos/${id}/check`, { as: admin })
  expect(refusalOf(again)).toBe('404 lessonNotFound')
})
