import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { PublicPage } from '#contract/profiles.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { setUser } from '#server/testing/rows.ts'

let owner: Person
let viewer: Person
let count = 0

const app = await createTestApp()
afterAll(() => app.close())
beforeEach(async () => {
  count += 1
  owner = await app.signUp(`owner${count}`)
  viewer = await app.signUp(`viewer${count}`)
})

const by = (name: string, as?: Person) =>
  app.call<PublicPage>('GET', `/identity/by/${encodeURIComponent(name)}`, { as })
const edit = (fields: Record<string, string>) =>
  done(app, owner, 'PATCH /identity/update', formOf(fields))

describe('a guest is refused the page', () => {
  it('of nobody and of an erased person', async () => {
    expect((await by('nobody at all')).status).toBe(404)
    await setUser(app, owner, { erased_at: new Date() })
    expect((await by(owner.session.username)).status).toBe(404)
    expect((await by(owner.session.username, viewer)).status).toBe(404)
  })
  it.each([
    ['of a suspended person', () => setUser(app, owner, { suspended_at: new Date() })],
    ['that its owner turned off', () => edit({ publicPage: 'false' })],
  ])('%s; signed-in people see it', async (_, act) => {
    await act()
    expect((await by(owner.session.username)).status).toBe(404)
    expect((await by(owner.session.username, viewer)).body).toMatchObject({ public: false })
  })
})

it('shows what a person published, and nothing private', async () => {
  const { id } = await app.publishLesson(owner)
  await edit({ about: '  I bake.\r\nAnd I write. ' })
  const { status, body } = await by(owner.session.username.toUpperCase())
  expect(status).toBe(200)
  expect(body).toEqual({
    id: owner.session._id,
    userName: owner.session.username,
    imageUrl: owner.session.imageUrl,
    about: 'I bake.\nAnd I write.',
    counts: { lessons: 1, courses: 0 },
    rating: null,
    ratings: 0,
    followers: 0,
    public: true,
    ownLessons: [expect.objectContaining({ id })],
    ownCourses: [],
  })
  expect((await by(owner.session.username, viewer)).body.following).toBe(false)
})

it('averages the ratings of all items, once there are three', async () => {
  const { id } = await app.publishLesson(owner)
  const rate = (ratings: number, stars: number) =>
    app.app.database.pool.query(
      'update lessons set ratings = $2, rating_stars = $3 where id = $1',
      [id, ratings, stars],
    )
  await rate(2, 9)
  expect((await by(owner.session.username)).body).toMatchObject({ rating: null, ratings: 2 })
  await rate(3, 13)
  expect((await by(owner.session.username)).body).toMatchObject({ rating: 4.3, ratings: 3 })
})

it('a former name leads to the page', async () => {
  const before = owner.session.username
  await edit({ username: `renamed${count}` })
  expect((await by(before)).body.userName).toBe(`renamed${count}`)
})

it('a text about oneself has up to 300 characters and can be removed', async () => {
  const send = (about: string) =>
    app.call('PATCH', '/identity/update', { as: owner, form: formOf({ about }) })
  expect(await send('ш'.repeat(301))).toMatchObject({ status: 400, body: [{ field: 'about' }] })
  expect(await send('ш'.repeat(300))).toMatchObject({ status: 200 })
  expect(await send('')).toMatchObject({ status: 200, body: { about: '' } })
})
