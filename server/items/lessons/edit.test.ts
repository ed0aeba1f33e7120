import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { FormError } from '#contract/errors.ts'
import type { CreatedLesson, EditedLesson } from '#contract/lessons.ts'
import { createTestApp, lessonForm, type LessonForm } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { formOf } from '#server/testing/http/forms.ts'

let lesson: CreatedLesson

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const ann = await app.signUp('ann')
afterAll(() => app.close())
beforeEach(async () => {
  lesson = await app.publishLesson(ann)
})

const patch = (fields: Partial<LessonForm>, method = 'PATCH') =>
  app.call<EditedLesson & FormError[]>(method, `/lesson/${lesson.id}`, {
    as: ann,
    form: formOf(fields),
  })

test('PUT needs all but the image', async () => {
  const { body } = await patch({}, 'PUT')
  const needed = ['title', 'description', 'video', 'tags', 'resources', 'article']
  expect(body.map(({ field }) => field)).toEqual(needed)
})

test('an upload of nobody is refused', async () => {
  const { status, body } = await patch({ resources: `/files/resources/${randomUUID()}/a.pdf` })
  expect([status, body[0]?.field]).toEqual([400, 'resources'])
})

test('the drawn cover replaces a picture', async () => {
  expect(lesson.thumbnail).toMatch(/^\/files\/pictures\//)
  const { body } = await patch({ cover: 'drawn' })
  expect(body.thumbnail).toBe(`/art/cover/${lesson.id}.svg`)
})

test('a video begins at the start of the last link that had one', async () => {
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
  const body = await done<EditedLesson>(app, ann, `PUT /lesson/${lesson.id}`, form)
  expect(body).toMatchObject({
    title: 'Whole',
    description: 'All of it is new',
    tags: ['x', 'y'],
    resources: 'https://r.example/',
    thumbnail: lesson.thumbnail,
  })
  expect(body.kbPoints).toBe(lesson.kbPoints)
})

test('an edit to the video of another own lesson loses the reward', async () => {
  const other = await app.publishLesson(ann)
  const { body } = await patch({ video: other.video })
  expect(body.kbPoints).toBe(other.kbPoints - 100)
})
