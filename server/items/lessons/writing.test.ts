import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { FormError, Problem } from '#contract/errors.ts'
import type { CreatedLesson, EditedLesson } from '#contract/lessons.ts'
import { fingerprintLessons } from '#server/items/lessons/rewards/fingerprinting.ts'
import { clearDrafts } from '#server/items/shared/drafts.ts'
import { createTestApp, lessonForm, type LessonForm, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { whileHolding } from '#server/testing/learning/waiting.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const ann = await app.signUp('ann')
afterAll(() => app.close())

async function create(change: Partial<LessonForm> = {}, as = ann) {
  return app.call<CreatedLesson & FormError[]>('POST', '/lesson/create', {
    as,
    form: await lessonForm(change),
  })
}

/** Returns the fields with errors. */
async function complaints(change: Partial<LessonForm>): Promise<(string | undefined)[]> {
  const { status, body } = await create(change)
  if (status !== 400) return [`status ${status}`]
  return body.map((error) => error.field)
}

describe('refusals', () => {
  test.each<[string, Partial<LessonForm>, string]>([
    ['a description of 9', { description: ' nine char ' }, 'description'],
    ['another video', { video: 'https://video.example/watch?v=abcdefghijk' }, 'video'],
    ['no tags', { tags: ' , ,' }, 'tags'],
    ['an article of 49', { article: `<p>${'a'.repeat(49)}</p>` }, 'article'],
    ['a resource that is no link', { resources: 'javascript:alert(1)' }, 'resources'],
    [
      'an upload of nobody',
      { resources: `/files/resources/${randomUUID()}/notes.pdf` },
      'resources',
    ],
  ])('%s', async (_, change, field) => {
    expect(await complaints(change)).toEqual([field])
  })
  test('an article needs 20 letters or digits, in the form, the edit and the question for its reward', async () => {
    const lesson = (await create()).body
    const article = '!'.repeat(60)
    const { body } = await create({ article })
    expect(body[0]).toMatchObject({ field: 'article', code: 'articleLettersMs' })
    const edit = { as: ann, form: formOf({ article }) }
    expect((await app.call('PATCH', `/lesson/${lesson.id}`, edit)).body).toEqual(body)
    const json = { video: lesson.video, article }
    const asked = await app.call<Problem>('POST', '/lesson/rewardcheck', { as: ann, json })
    expect(asked.body.errors).toEqual({ article: [body[0]?.description] })
    await done(app, ann, `DELETE /lesson/${lesson.id}`)
  })
  test('other errors are listed together with the missing picture', async () => {
    const form = await lessonForm({ title: 'x' })
    form.delete('image')
    const { body } = await app.call<FormError[]>('POST', '/lesson/create', { as: ann, form })
    expect(body.map(({ field }) => field)).toEqual(['title', 'image'])
  })
  test('a refused lesson leaves no trace', async () => {
    expect(await done(app, ann, 'GET /lesson/yours')).toEqual([])
  })
})

test('an author sees all of a new lesson and its reward', async () => {
  const { body } = await create({
    title: '  A  title ',
    video:
      ' <iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ?start=61" title="A > b"></iframe> ',
    tags: 'one, two,one',
    resources: 'https://notes.example/1',
    article: `<h1 class="x">Head</h1><script>bad()</script><p onclick="x">${'word '.repeat(100)}</p>`,
  })
  expect(body).toMatchObject({
    title: 'A  title',
    video: 'https://www.youtube.com/embed/dQw4w9WgXcQ',
    videoStart: 61,
    tags: ['one', 'two'],
    resources: 'https://notes.example/1',
    owner: ann.session._id,
    ownerName: 'ann',
    likes: 0,
    views: 0,
    comments: 0,
    commentCount: 0,
    price: 100,
    version: 1,
    bought: false,
    liked: false,
    inside: { articleMinutes: 1, resource: true },
    rewarded: true,
    rewardReason: null,
    can: { see: true, edit: true, delete: true, like: false, buy: false, comment: true },
  })
  expect(body.article).toMatch(/^<h1>Head<\/h1><p>word/)
  expect(body.article).not.toContain('bad()')
  expect(body.thumbnail).toMatch(/^\/files\/pictures\/\w+\/640\.webp$/)
})

test('a lesson without a picture has the drawn cover', async () => {
  const form = await lessonForm({ title: 'Drawn', cover: 'drawn' })
  form.delete('image')
  const { body } = await app.call<CreatedLesson>('POST', '/lesson/create', { as: ann, form })
  expect(body.thumbnail).toBe(`/art/cover/${body.id}.svg`)
})

test('each rewarded lesson brings 100 points, and a second one on the same video nothing', async () => {
  const before = (await create()).body.kbPoints
  const first = await create({ video: 'https://www.youtube.com/watch?v=aaaaaaaaaaa' })
  expect(first.body.kbPoints - before).toBe(100)
  const second = await create({ video: 'https://m.youtube.com/shorts/aaaaaaaaaaa' })
  expect(second.body).toMatchObject({
    rewarded: false,
    rewardReason: 'sameVideo',
    older: { id: first.body.id, title: first.body.title },
    kbPoints: first.body.kbPoints,
  })
})

const ask = (as: Person, video: string, article: string) =>
  done(app, as, 'POST /lesson/rewardcheck', { video, article })

test('a form can ask for the reward before publishing', async () => {
  const article = `<p>${'some words '.repeat(3)}</p>`
  expect(await ask(ann, 'https://youtu.be/aaaaaaaaaaa', article)).toMatchObject({
    rewarded: false,
    rewardReason: 'sameVideo',
    reason: 'sameVideo',
    older: { title: expect.any(String) },
  })
  const fresh = await ask(ann, 'https://youtu.be/zzzzzzzzzzz', '<p>entirely new words of it</p>')
  expect(fresh).toEqual({ rewarded: true, rewardReason: null, reason: null })
})

test('an edit form can ask whether the lesson keeps its reward', async () => {
  const first = (await create()).body
  const { id, video, article } = (await create()).body
  const askOf = (change: object, as = ann) =>
    app.call('POST', '/lesson/rewardcheck', { as, json: { id, video, article, ...change } })
  const dora = await app.signUp('dora')
  expect((await askOf({}, dora)).status).toBe(403)
  expect((await askOf({ id: 999_999 })).status).toBe(404)
  expect((await askOf({})).body).toMatchObject({ rewarded: true })
  const { article: copied } = first
  const lost = { rewarded: false, reason: 'sameArticle', older: { id: first.id } }
  expect((await askOf({ article: copied })).body).toMatchObject(lost)
  await done(app, ann, `PATCH /lesson/${id}`, formOf({ article: copied }))
  expect((await askOf({ article: copied })).body).toEqual({
    rewarded: false,
    rewardReason: null,
    reason: null,
  })
})

test('the older lesson is named as long as it exists, also one from before fingerprints', async () => {
  const carol = await app.signUp('carol')
  const { id, title, article } = (await create({ title: 'The original' })).body
  await sql`delete from lesson_fingerprints where lesson_id = ${id}`.execute(app.app.database.db)
  await sql`insert into lesson_fingerprints_due values (${id})`.execute(app.app.database.db)
  expect(await ask(carol, 'https://youtu.be/bbbbbbbbbbb', article)).toMatchObject({
    rewarded: true,
  })
  await fingerprintLessons(app.app.database.db)
  const withheld = { rewarded: false, rewardReason: 'sameArticle', older: { id, title } }
  expect(await ask(carol, 'https://youtu.be/bbbbbbbbbbb', article)).toMatchObject(withheld)
  await done(app, ann, `DELETE /lesson/${id}`)
  expect(await ask(carol, 'https://youtu.be/bbbbbbbbbbb', article)).toEqual({
    rewarded: false,
    rewardReason: 'sameArticle',
    reason: 'sameArticle',
  })
})

describe('drafts', () => {
  test('an empty draftId counts as none', async () => {
    const [first, second] = [await create({ draftId: '' }), await create({ draftId: '' })]
    expect(second.body.id).toBeGreaterThan(first.body.id)
  })
  test('a repeated draft returns the first lesson', async () => {
    const draftId = randomUUID()
    const first = await create({ draftId })
    const second = await create({ draftId, title: 'Another title' })
    expect(second.body).toEqual(first.body)
  })
  test('a draft is known for a year, and its lesson stays', async () => {
    const draftId = randomUUID()
    const first = await create({ draftId })
    const clearAfter = (days: number) =>
      clearDrafts(app.app.database.db, { now: () => new Date(Date.now() + days * DAY_MS) })
    await clearAfter(364)
    expect((await create({ draftId })).body.id).toBe(first.body.id)
    await clearAfter(366)
    expect((await create({ draftId })).body.id).not.toBe(first.body.id)
    await done(app, ann, `GET /lesson/${first.body.id}`)
  })
  test('a repeated draft reports a withheld reward again', async () => {
    const change = { draftId: randomUUID(), video: 'https://youtu.be/aaaaaaaaaaa' }
    const first = await create(change)
    expect((await create(change)).body).toMatchObject({
      id: first.body.id,
      rewarded: false,
      rewardReason: 'sameVideo',
    })
  })
  test('ten concurrent creations of one draft make one lesson', async () => {
    const before = (await create()).body.kbPoints
    const draftId = randomUUID()
    const forms = await Promise.all(Array.from({ length: 10 }, () => lessonForm({ draftId })))
    // The author's balance is locked, so that all requests get as far as they can.
    const balance = sql`select from point_balances where user_id = ${ann.session._id} for update`
    const bodies = await whileHolding(
      app.app.database.db,
      (tx) => balance.execute(tx),
      () =>
        Promise.all(
          forms.map((form) => done<CreatedLesson>(app, ann, 'POST /lesson/create', form)),
        ),
    )
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(1)
    expect(bodies.map(({ kbPoints }) => kbPoints)).toEqual(Array(10).fill(before + 100))
  })
  test('the same draft id of another person is another draft', async () => {
    const bob = await app.signUp('bob')
    const draftId = randomUUID()
    const first = await create({ draftId })
    expect((await create({ draftId }, bob)).body.id).not.toBe(first.body.id)
  })
})

describe('an edit', () => {
  let lesson: CreatedLesson
  beforeEach(async () => {
    lesson = await app.publishLesson(ann)
  })
  const patch = (fields: Partial<LessonForm>, method = 'PATCH') =>
    app.call<EditedLesson & FormError[]>(method, `/lesson/${lesson.id}`, {
      as: ann,
      form: formOf(fields),
    })

  test('by PUT needs all but the image', async () => {
    const { body } = await patch({}, 'PUT')
    const needed = ['title', 'description', 'video', 'tags', 'resources', 'article']
    expect(body.map(({ field }) => field)).toEqual(needed)
  })

  test('to an upload of nobody is refused', async () => {
    const { status, body } = await patch({ resources: `/files/resources/${randomUUID()}/a.pdf` })
    expect([status, body[0]?.field]).toEqual([400, 'resources'])
  })

  test('to the drawn cover replaces a picture', async () => {
    expect(lesson.thumbnail).toMatch(/^\/files\/pictures\//)
    const { body } = await patch({ cover: 'drawn' })
    expect(body.thumbnail).toBe(`/art/cover/${lesson.id}.svg`)
  })

  test('keeps the start of the last link that had one while the video stays', async () => {
    const begins = async (video: string) => {
      const { body } = await patch({ video })
      return [body.video, body.videoStart]
    }
    const embed = 'https://www.youtube.com/embed/ccccccccccc'
    expect(await begins('https://youtu.be/ccccccccccc?t=1m5s')).toEqual([embed, 65])
    // Clients may send back the link that they received.
    expect(await begins(embed)).toEqual([embed, 65])
    expect(await begins(`${embed}?start=0`)).toEqual([embed, 0])
    expect(await begins(`${embed}?start=7`)).toEqual([embed, 7])
    const other = 'https://www.youtube.com/embed/ddddddddddd'
    expect(await begins('https://youtu.be/ddddddddddd')).toEqual([other, 0])
  })

  test('by PUT replaces everything and keeps the picture', async () => {
    const whole = {
      title: 'Whole',
      description: 'All of it is new',
      resources: 'https://r.example/',
    }
    const form = await lessonForm({ ...whole, tags: 'x,y' })
    form.delete('image')
    const body = await done<EditedLesson>(app, ann, `PUT /lesson/${lesson.id}`, form)
    const { thumbnail } = lesson
    expect(body).toMatchObject({ ...whole, tags: ['x', 'y'], thumbnail })
    expect(body.kbPoints).toBe(lesson.kbPoints)
  })

  test('to the video of another own lesson loses the reward', async () => {
    const other = await app.publishLesson(ann)
    const { body } = await patch({ video: other.video })
    expect(body.kbPoints).toBe(other.kbPoints - 100)
  })
})
