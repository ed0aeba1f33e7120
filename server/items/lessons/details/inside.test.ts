import { afterAll, expect, test } from 'vitest'
import type { Lesson } from '#contract/lessons.ts'
import { createTestApp, type LessonForm } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { uploadFile } from '#server/testing/http/forms.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000', WELCOME_POINTS: '500' })
const ann = await app.signUp('ann')
afterAll(() => app.close())

async function insideOf(change: Partial<LessonForm>) {
  const { id } = await app.publishLesson(ann, change)
  return (await done<Lesson>(app, undefined, `GET /lesson/${id}`)).inside
}

const ARTICLE =
  '<h2>Fold it</h2><p>Don’t tear well-made paper; <strong>fold</strong> it 3 times.</p><h3>Sew it</h3><p>Пет бода.</p>'

test('an article has words and headings, in every script', async () => {
  expect(await insideOf({ article: ARTICLE })).toMatchObject({ words: 14, headings: 2 })
})

test('a resource says its kind, and an upload its size; nothing names it', async () => {
  const url = await uploadFile(app, ann, 'Folding template.PDF', new Uint8Array(2048))
  const inside = await insideOf({ resources: url })
  expect(inside).toMatchObject({ resource: true, resourceKind: 'PDF', resourceBytes: 2048 })
  expect(JSON.stringify(inside)).not.toContain('olding')
  const link = async (resources: string) => {
    const { resource, resourceKind, resourceBytes } = await insideOf({ resources })
    return [resource, resourceKind, resourceBytes]
  }
  expect(await link('https://notes.example/a/sheet.xlsx?v=2.pdf')).toEqual([true, 'XLSX', null])
  expect(await link('https://notes.example')).toEqual([true, null, null])
  expect(await link('https://notes.example/a.b/c')).toEqual([true, null, null])
  expect(await link('')).toEqual([false, null, null])
})

test('a locked lesson says how many unlocked it and how long most of their players said it is', async () => {
  const { id } = await app.publishLesson(ann)
  const reader = await app.signUp('reader')
  const show = () => done(app, reader, `GET /lesson/${id}`)
  expect(await show()).toMatchObject({ unlocks: 0, videoSeconds: null })
  for (const [name, length] of [
    ['bob', 1200],
    ['eve', 1200],
    ['mal', 9],
  ] as const) {
    const buyer = await app.signUp(name)
    await done(app, buyer, `POST /lesson/buy/${id}`)
    await done(app, buyer, `PUT /progress/${id}`, { seconds: 1, length })
  }
  expect(await show()).toMatchObject({ unlocks: 3, videoSeconds: 1200 })
})
