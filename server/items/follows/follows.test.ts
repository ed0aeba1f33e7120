import { afterAll, describe, expect, test } from 'vitest'
import type { Problem } from '#contract/errors.ts'
import type { Followed, Following } from '#contract/follows.ts'
import type { Stall } from '#contract/home.ts'
import { MOST_FOLLOWED } from '#contract/limits.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done, statusesOf } from '#server/testing/http/answers.ts'
import { signUpAll } from '#server/testing/people.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000', WELCOME_POINTS: '5000' })
const { ann, bob, cleo } = await signUpAll(app, 'ann', 'bob', 'cleo')
afterAll(() => app.close())

const idOf = (person: Person) => person.session._id
const ask = (method: string, as: Person | undefined, id: string) =>
  app.call<Following & Problem>(method, `/follow/${id}`, { as })
const follow = (as: Person, whom: Person) => done<Following>(app, as, `PUT /follow/${idOf(whom)}`)
const unfollow = (as: Person, whom: Person) =>
  done<Following>(app, as, `DELETE /follow/${idOf(whom)}`)
const followed = (as: Person, query = '') =>
  done<{ people: Followed[]; total: number }>(app, as, `GET /follow/all${query}`)
const followersOf = async (whom: Person) => {
  const { body } = await ask('GET', cleo, idOf(whom))
  return body.followers
}
const block = (as: Person, whom: Person, method = 'POST') =>
  done(app, as, `${method} /identity/block/${idOf(whom)}`)
const erase = (person: Person) =>
  done(app, person, 'POST /identity/erase', { password: person.password })

test('a lesson and a course tell only the viewer whether they follow the author, and authors nothing', async () => {
  const { ina, joe } = await signUpAll(app, 'ina', 'joe')
  const { id, lessons } = await app.publishCourse(ina)
  const paths = [`/course/${id}`, `/lesson/${lessons[0]?.id}`]
  const saidTo = async (as?: Person) => {
    const shown = paths.map((path) => done<{ following?: boolean }>(app, as, `GET ${path}`))
    return (await Promise.all(shown)).map(({ following }) => following)
  }
  expect(await saidTo()).toEqual([undefined, undefined])
  expect(await saidTo(ina)).toEqual([undefined, undefined])
  expect(await saidTo(joe)).toEqual([false, false])
  await follow(joe, ina)
  expect([await saidTo(joe), await saidTo(bob)]).toEqual([
    [true, true],
    [false, false],
  ])
  expect(await saidTo()).toEqual([undefined, undefined])
  await unfollow(joe, ina)
  expect(await saidTo(joe)).toEqual([false, false])
})

describe('refusals', () => {
  test('people can not follow themselves, or unknown or erased people', async () => {
    const { status, body } = await ask('PUT', ann, idOf(ann))
    expect([status, body.title]).toEqual([409, 'You can’t follow yourself.'])
    expect((await ask('PUT', ann, '00000000-0000-4000-8000-000000000000')).status).toBe(404)
    const gone = await app.signUp('gone')
    await erase(gone)
    for (const method of ['PUT', 'GET'])
      expect((await ask(method, ann, idOf(gone))).status).toBe(404)
  })

  test('after a block neither person can follow the other', async () => {
    const { eve, fay } = await signUpAll(app, 'eve', 'fay')
    await follow(eve, fay)
    await follow(fay, eve)
    await block(eve, fay)
    expect([await followersOf(eve), await followersOf(fay)]).toEqual([0, 0])
    const refused = await ask('PUT', fay, idOf(eve))
    expect([refused.status, refused.body.title]).toEqual([403, 'You can’t follow this person.'])
    expect((await ask('PUT', eve, idOf(fay))).status).toBe(409)
    await block(eve, fay, 'DELETE')
    expect((await follow(fay, eve)).followers).toBe(1)
  })

  test('a concurrent block and follow leave no follow', async () => {
    const { gus, hal } = await signUpAll(app, 'gus', 'hal')
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([ask('PUT', hal, idOf(gus)), block(gus, hal)])
      expect(await followersOf(gus)).toBe(0)
      await block(gus, hal, 'DELETE')
    }
  })

  test('the limit holds, even for concurrent requests', async () => {
    const ida = await app.signUp('ida')
    const { pool } = app.app.database
    await pool.query(
      `insert into users (id, username, username_folded, username_skeleton, email, email_folded, password_hash)
       select md5('many' || n)::uuid, 'many' || n, 'many' || n, 'many' || n, n || '@many.example', n || '@many.example', 'x'
       from generate_series(1, $1) n`,
      [MOST_FOLLOWED - 1],
    )
    await pool.query(
      `with follow as (
         insert into follows (follower_id, author_id, created_at)
         select $1, md5('many' || n)::uuid, now() from generate_series(1, $2) n returning author_id
       ) insert into follow_counts select author_id, 1 from follow`,
      [idOf(ida), MOST_FOLLOWED - 1],
    )
    const answers = await Promise.all([ann, bob, cleo].map((each) => ask('PUT', ida, idOf(each))))
    expect(statusesOf(answers)).toEqual([200, 409, 409])
    const full = answers.find(({ status }) => status === 409)
    expect(full?.body.title).toContain(`${MOST_FOLLOWED}`)
    const again = answers.findIndex(({ status }) => status === 200)
    expect((await ask('PUT', ida, idOf([ann, bob, cleo][again] ?? ann))).status).toBe(200)
  })
})

test('a follow counts once, and an unfollow removes it', async () => {
  const lea = await app.signUp('lea')
  expect(await follow(ann, lea)).toEqual({ following: true, followers: 1 })
  expect(await follow(ann, lea)).toEqual({ following: true, followers: 1 })
  expect(await follow(bob, lea)).toEqual({ following: true, followers: 2 })
  expect((await ask('GET', cleo, idOf(lea))).body).toEqual({ following: false, followers: 2 })
  expect(await unfollow(ann, lea)).toEqual({ following: false, followers: 1 })
  expect(await unfollow(ann, lea)).toEqual({ following: false, followers: 1 })
})

test('people see whom they follow, newest first, and nobody else does', async () => {
  const { nia, ola, pam } = await signUpAll(app, 'nia', 'ola', 'pam')
  expect(await followed(nia)).toEqual({ people: [], total: 0 })
  await follow(nia, ola)
  await follow(nia, pam)
  const { people, total } = await followed(nia)
  expect([total, people.map(({ userName }) => userName)]).toEqual([2, ['pam', 'ola']])
  expect(Date.parse(people[0]?.date ?? '')).toBeGreaterThan(Date.now() - 60_000)
  expect((await followed(nia, '?page=2')).people).toEqual([])
  expect((await followed(ola)).total).toBe(0)
  const profile = await app.call('GET', `/identity/profile/${idOf(pam)}`, { as: ola })
  expect(JSON.stringify(profile.body)).not.toContain('nia')
})

test('the front page shows the newest items of followed people only', async () => {
  const { tia, ulf, via } = await signUpAll(app, 'tia', 'ulf', 'via')
  const newest = async () => {
    const { followed } = await done<Stall>(app, via, 'GET /home/stall')
    return followed.map(({ kind, card }) => [kind, card.id])
  }
  expect(await newest()).toEqual([])
  await app.publishLesson(ulf)
  await follow(via, tia)
  const course = await app.publishCourse(tia)
  const lessons = course.lessons.map(({ id }) => ['lesson', id])
  expect(await newest()).toEqual([['course', course.id], ...lessons.toReversed()])
  for (let more = 0; more < 3; more += 1) await app.publishLesson(tia)
  expect(await newest()).toHaveLength(8)
  await unfollow(via, tia)
  expect(await newest()).toEqual([])
})

test('an erased account follows nobody and is followed by nobody', async () => {
  const { quinn, rob, sue } = await signUpAll(app, 'quinn', 'rob', 'sue')
  await follow(quinn, rob)
  await follow(sue, quinn)
  await erase(quinn)
  await app.runJobs()
  expect(await followersOf(rob)).toBe(0)
  expect((await followed(sue)).total).toBe(0)
  const { rows } = await app.app.database.pool.query(
    'select from follow_counts where author_id = $1',
    [idOf(quinn)],
  )
  expect(rows).toEqual([])
})
