import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { FormError } from '#contract/errors.ts'
import type { CreatedLesson, EditedLesson } from '#contract/lessons.ts'
import type { Ledger } from '#contract/points.ts'
import { setRole } from '#server/accounts/store.ts'
import {
  createTestApp,
  lessonForm,
  testPicture,
  type LessonForm,
  type Person,
} from '#server/testing/app.ts'
import { signUpAll } from '#server/testing/people.ts'

let lesson: CreatedLesson

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, bob, admin } = await signUpAll(app, 'ann', 'bob', 'admin')
await setRole(app.app.database.db, 'admin', 'administrator')
afterAll(() => app.close())
beforeEach(async () => {
  lesson = await app.publishLesson(ann)
})

type Fields = Partial<LessonForm> & { version?: string; reason?: string }

function patch(fields: Fields, as: Person | undefined = ann, method = 'PATCH', id = lesson.id) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return app.call<EditedLesson & FormError[]>(method, `/lesson/${id}`, { as, form })
}

describe('refusals', () => {
  test('a guest is told to log in', async () => {
    const form = new FormData()
    form.set('title', 'New title')
    expect((await app.call('PATCH', `/lesson/${lesson.id}`, { form })).status).toBe(401)
  })
  test('nobody edits what others made', async () => {
    expect((await patch({ title: 'New title' }, bob)).status).toBe(403)
  })
  test('a missing lesson is 404', async () => {
    const { status, body } = await patch({ title: 'New title' }, ann, 'PATCH', 999_999)
    expect([status, body[0]?.description]).toEqual([404, 'Lesson not found or deleted (sorry)'])
  })
  test('PUT needs all but the image', async () => {
    const { status, body } = await patch({}, ann, 'PUT')
    expect(status).toBe(400)
    expect(body.map((error) => error.field)).toEqual([
      'title',
      'description',
      'video',
      'tags',
      'resources',
      'article',
    ])
  })
  test('every field keeps its rule', async () => {
    const bad: Fields[] = [
      { title: 'ab' },
      { description: 'short' },
      { video: 'x' },
      { tags: ',' },
      { resources: 'x' },
      { article: '<p>short</p>' },
    ]
    for (const fields of bad) {
      const { status, body } = await patch(fields)
      expect([status, body[0]?.field]).toEqual([400, Object.keys(fields)[0]])
    }
  })
  test('an upload of nobody can not be named', async () => {
    const { status, body } = await patch({ resources: `/files/resources/${randomUUID()}/a.pdf` })
    expect([status, body[0]?.field]).toEqual([400, 'resources'])
  })
  test('the reason of an administrator has 3 characters at least', async () => {
    const { status, body } = await patch({ title: 'New title', reason: 'no' }, admin)
    expect([status, body[0]?.field, body[0]?.code]).toEqual([400, 'reason', 'reasonValMs'])
  })
  test('the later save of two is told and changes nothing', async () => {
    expect((await patch({ title: 'First', version: '1' })).body.version).toBe(2)
    const { status, body } = await patch({ title: 'Second', version: '1' })
    expect([status, body[0]?.code]).toEqual([409, 'editedMeanwhile'])
    expect((await app.call<EditedLesson>('GET', `/lesson/${lesson.id}`)).body.title).toBe('First')
  })
  test('of ten saves of one version at once one wins', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => patch({ title: `Save ${n}`, version: '1' })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9)
  })
})

test('PATCH leaves absent fields as they are', async () => {
  const { body } = await patch({ title: 'New title' })
  const {
    title: _,
    version: __,
    kbPoints: ___,
    rewarded: ____,
    rewardReason: _____,
    ...rest
  } = lesson
  expect(body).toMatchObject({ ...rest, title: 'New title', version: 2 })
})

test('a video begins where its last link with a start said', async () => {
  const begins = async (video: string) => {
    const { body } = await patch({ video })
    return [body.video, body.videoStart]
  }
  const embed = 'https://www.youtube.com/embed/ccccccccccc'
  expect(await begins('https://youtu.be/ccccccccccc?t=1m5s')).toEqual([embed, 65])
  // As a client sends back what it was answered.
  expect(await begins(embed)).toEqual([embed, 65])
  expect(await begins(`${embed}?start=0`)).toEqual([embed, 0])
  expect(await begins(`${embed}?start=7`)).toEqual([embed, 7])
  expect(await begins('https://youtu.be/ddddddddddd')).toEqual([
    'https://www.youtube.com/embed/ddddddddddd',
    0,
  ])
})

test('PUT replaces everything and keeps the picture', async () => {
  const form = await lessonForm({
    title: 'Whole',
    description: 'All of it is new',
    tags: 'x,y',
    resources: 'https://r.example/',
  })
  form.delete('image')
  const { status, body } = await app.call<EditedLesson>('PUT', `/lesson/${lesson.id}`, {
    as: ann,
    form,
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    title: 'Whole',
    description: 'All of it is new',
    tags: ['x', 'y'],
    resources: 'https://r.example/',
    thumbnail: lesson.thumbnail,
  })
  expect(body.kbPoints).toBe(lesson.kbPoints)
})

test('a new picture replaces the old one', async () => {
  const form = new FormData()
  const bytes = await (await testPicture()).arrayBuffer()
  form.set('image', new File([bytes, new Uint8Array([0])], 'other.jpg', { type: 'image/jpeg' }))
  const { body } = await app.call<EditedLesson>('PATCH', `/lesson/${lesson.id}`, { as: ann, form })
  expect(body.thumbnail).not.toBe(lesson.thumbnail)
})

test('a new title is found and the old one no more', async () => {
  await patch({ title: 'Zebra' })
  const find = (search: string) =>
    app.call<{ id: number }[]>('GET', `/lesson/all?page=1&search=${encodeURIComponent(search)}`)
  expect((await find('zebra')).body.map(({ id }) => id)).toEqual([lesson.id])
  expect((await find(lesson.title)).body.map(({ id }) => id)).not.toContain(lesson.id)
})

test('the owner reads the reason of an administrator in the ledger', async () => {
  const { status } = await patch({ title: 'Milder', reason: 'The title promised too much' }, admin)
  expect(status).toBe(200)
  const { body } = await app.call<Ledger>('GET', '/identity/points', { as: ann })
  expect(body.entries[0]).toMatchObject({
    amount: 0,
    reason: 'edited',
    note: 'The title promised too much',
    item: { kind: 'lesson', id: lesson.id, title: 'Milder' },
  })
  expect(body.kbPoints).toBe(lesson.kbPoints)
})

test('each edit of an administrator has its own reason', async () => {
  await patch({ title: 'One', reason: 'First reason' }, admin)
  await patch({ title: 'Two', reason: 'Second reason' }, admin)
  const { body } = await app.call<Ledger>('GET', '/identity/points', { as: ann })
  expect(body.entries.slice(0, 2).map(({ note }) => note)).toEqual([
    'Second reason',
    'First reason',
  ])
})

test('an edit to the video of another own lesson loses the reward', async () => {
  const other = await app.publishLesson(ann)
  const { body } = await patch({ video: other.video })
  expect(body.kbPoints).toBe(other.kbPoints - 100)
})
