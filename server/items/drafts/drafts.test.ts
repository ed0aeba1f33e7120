/** Tests what refuses a draft, and that no save goes over newer text or brings an ended draft back. */
import { describe, expect, test } from 'vitest'
import {
  type Draft,
  DRAFT_BYTES,
  type DraftConflict,
  type ListedDraft,
  MOST_DRAFTS,
} from '#contract/drafts.ts'
import type { Problem } from '#contract/errors.ts'
import { clearOldDrafts } from '#server/items/drafts/store.ts'
import { clearUnattached } from '#server/platform/files/resources.ts'
import { setRole } from '#server/people/accounts/store.ts'
import type { Person } from '#server/testing/app.ts'
import { done, refusalOf, statusesOf } from '#server/testing/http/answers.ts'
import { uploadFile } from '#server/testing/http/forms.ts'
import { signUpAll } from '#server/testing/people.ts'
import { openTestApp } from '#server/testing/setup.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const app = await openTestApp()
const { db, storage } = app.app.core
const { ann, bob, eve, full } = await signUpAll(app, 'ann', 'bob', 'eve', 'full')

type Answer = Problem & DraftConflict
const put = (as: Person, key: string, base: number, values: Draft['values']) =>
  app.call<Answer>('PUT', `/draft/${key}`, { as, json: { base, values } })
const remove = (as: Person, key: string, base?: number) =>
  app.call<Answer>('DELETE', `/draft/${key}${base === undefined ? '' : `?base=${base}`}`, { as })
const get = (as: Person, key: string) => app.call<Draft>('GET', `/draft/${key}`, { as })
const all = (as: Person) => done<ListedDraft[]>(app, as, 'GET /draft/all')
const saved = async (as: Person, key: string, base: number, values: Draft['values']) => {
  const { status, body } = await put(as, key, base, values)
  expect(status).toBe(200)
  return body.version
}

let count = 0
/** The key of another new lesson. */
const newKey = () => {
  count += 1
  return `lesson-new-0190163d-8694-739b-aea5-${String(count).padStart(12, '0')}`
}

describe('refusals', () => {
  test('other keys than those of new and existing items', async () => {
    for (const key of [
      'lesson',
      'lesson-',
      'lesson-0',
      'lesson-07',
      'lesson-1e3',
      'lesson-new-7',
      'note-7',
      'Lesson-7',
      `lesson-${'9'.repeat(16)}`,
      'lesson-7%20',
    ])
      for (const answer of [await put(ann, key, 0, {}), await remove(ann, key)])
        expect([key, answer.status]).toEqual([key, 400])
  })
  test('values that are no object, and a base that is no version', async () => {
    for (const values of [undefined, null, 'text', ['text']])
      expect((await put(ann, 'lesson-new', 0, values as never)).status).toBe(400)
    for (const base of [undefined, -1, 0.5, 2 ** 31])
      expect((await put(ann, 'lesson-new', base as never, {})).status).toBe(400)
  })
  test('an item that is missing or belongs to somebody else', async () => {
    const { id } = await app.publishLesson(ann)
    expect(refusalOf(await put(bob, `lesson-${id}`, 0, {}))).toBe('403 forbidden')
    expect(refusalOf(await put(bob, 'course-999999', 0, {}))).toBe('404 courseNotFound')
    await setRole(db, 'eve', 'administrator')
    expect((await put(eve, `lesson-${id}`, 0, { title: 'Of Eve' })).status).toBe(200)
    expect((await get(ann, `lesson-${id}`)).status).toBe(404)
    await done(app, ann, `DELETE /lesson/${id}`)
    expect(refusalOf(await put(ann, `lesson-${id}`, 0, {}))).toBe('404 lessonNotFound')
    expect((await all(eve))[0]?.item).toEqual({ id, title: '', gone: true })
  })
  test('a draft that is larger than 256 KB, counted in bytes', async () => {
    const words = (bytes: number) => ({ article: 'ж'.repeat(Math.floor((bytes - 14) / 2)) })
    expect(refusalOf(await put(ann, newKey(), 0, words(DRAFT_BYTES + 2)))).toBe('413 draftTooLarge')
    const key = newKey()
    expect((await put(ann, key, 0, words(DRAFT_BYTES))).status).toBe(200)
    await remove(ann, key)
  })
  test('the 51st draft, but no change of one of the 50', async () => {
    const keys = Array.from({ length: MOST_DRAFTS + 5 }, newKey)
    const answers = await Promise.all(keys.map((key) => put(full, key, 0, { title: 'One' })))
    expect(statusesOf(answers).filter((status) => status === 200)).toHaveLength(MOST_DRAFTS)
    const refused = answers.find(({ status }) => status !== 200)
    expect(refused?.body).toMatchObject({ status: 409, title: expect.stringContaining('50') })
    const [first] = await all(full)
    expect(await saved(full, first?.key ?? '', 1, { title: 'Two' })).toBe(2)
    await remove(full, first?.key ?? '')
    expect((await put(full, newKey(), 0, {})).status).toBe(200)
  })
  test('everybody else', async () => {
    const key = newKey()
    await saved(ann, key, 0, { title: 'Of Ann' })
    expect((await get(bob, key)).status).toBe(404)
    await remove(bob, key)
    expect((await get(ann, key)).body.values).toEqual({ title: 'Of Ann' })
    await remove(ann, key)
  })
})

describe('never over newer text', () => {
  test('a save that is based on an older version gets the newer draft', async () => {
    const key = newKey()
    expect(await saved(ann, key, 0, { title: 'Laptop' })).toBe(1)
    expect(await saved(ann, key, 1, { title: 'Phone' })).toBe(2)
    const answer = await put(ann, key, 1, { title: 'Laptop again' })
    expect(refusalOf(answer)).toBe('409 draftNewer')
    expect(answer.body).toMatchObject({
      version: 2,
      draft: { version: 2, values: { title: 'Phone' } },
    })
    expect(refusalOf(await remove(ann, key, 1))).toBe('409 draftNewer')
    expect((await get(ann, key)).body.values).toEqual({ title: 'Phone' })
  })
  test('of ten devices at once, one saves', async () => {
    const key = newKey()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, device) => put(ann, key, 0, { title: `Device ${device}` })),
    )
    expect(statusesOf(answers)).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
  })
  test('a save whose answer was lost can be repeated', async () => {
    const key = newKey()
    expect(await saved(ann, key, 0, { title: 'Once' })).toBe(1)
    expect(await saved(ann, key, 0, { title: 'Once' })).toBe(1)
  })
})

describe('an ended draft does not come back', () => {
  test('by a late save, whether it had been saved before or not', async () => {
    for (const base of [0, 1]) {
      const key = newKey()
      if (base === 1) await saved(ann, key, 0, { title: 'Typed' })
      expect((await remove(ann, key, base)).status).toBe(204)
      const late = await put(ann, key, base, { title: 'Late' })
      expect(refusalOf(late)).toBe('409 draftEnded')
      expect(late.body).toMatchObject({ version: base + 1, draft: null })
      expect((await get(ann, key)).status).toBe(404)
      expect((await all(ann)).map((draft) => draft.key)).not.toContain(key)
      // Who goes on typing in an open form knows of the end.
      expect(await saved(ann, key, base + 1, { title: 'Goes on' })).toBe(base + 2)
      await remove(ann, key)
    }
  })
  test('by one that arrives at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const key = newKey()
      await saved(ann, key, 0, { title: 'Typed' })
      const [late, ended] = await Promise.all([
        put(ann, key, 1, { title: 'Late' }),
        remove(ann, key, 1),
      ])
      // If the save was first, the end is refused, and the form ends what it has saved.
      expect(statusesOf([late, ended])).toEqual(late.status === 200 ? [200, 409] : [204, 409])
      if (late.status === 200) expect((await remove(ann, key, late.body.version)).status).toBe(204)
      expect((await get(ann, key)).status).toBe(404)
    }
  })
  test('twice is once', async () => {
    const key = newKey()
    await saved(ann, key, 0, {})
    for (const _ of [1, 2]) expect((await remove(ann, key, 1)).status).toBe(204)
  })
})

test('the list has titles and items, the newest first', async () => {
  const { id, title } = await app.publishLesson(bob)
  await saved(bob, `lesson-${id}`, 0, { title: ' Changed ' })
  await saved(bob, 'course-new', 0, { description: 'No title yet' })
  expect(await all(bob)).toMatchObject([
    { key: 'course-new', title: '', item: null, version: 1 },
    { key: `lesson-${id}`, title: 'Changed', item: { id, title, gone: false } },
  ])
})

test('a suspended person reads and exports drafts, and saves none', async () => {
  const key = newKey()
  await saved(bob, key, 0, { title: 'Before it', article: 'Typed words' })
  await db
    .updateTable('users')
    .set({ suspended_at: new Date() })
    .where('id', '=', bob.session._id)
    .execute()
  expect((await put(bob, key, 1, {})).status).toBe(403)
  expect((await remove(bob, key)).status).toBe(403)
  expect((await get(bob, key)).body.values).toMatchObject({ article: 'Typed words' })
  const { body } = await app.call('GET', '/identity/export', { as: bob })
  expect(JSON.stringify(body)).toContain('Typed words')
})

test('files that a draft names are stored until a day after its end', async () => {
  const [resources, picture, other] = await Promise.all(
    ['plan.txt', 'cover.jpg', 'other.txt'].map((name) => uploadFile(app, ann, name)),
  )
  const foreign = await uploadFile(app, eve, 'foreign.txt')
  const key = newKey()
  await saved(ann, key, 0, { resources, picture, other: foreign })
  const statuses = () =>
    Promise.all(
      [resources, picture, other].map(async (url) => {
        const headers = { cookie: ann.cookie }
        return (await fetch(app.url + url, { headers })).status
      }),
    )
  const later = { now: () => new Date(Date.now() + 2 * DAY_MS) }
  const clear = () => clearUnattached(db, storage, later)
  await clear()
  expect(await statuses()).toEqual([200, 200, 404])
  await remove(ann, key, 1)
  await clear()
  expect(await statuses()).toEqual([200, 200, 404])
  await clearOldDrafts(db, later)
  await clear()
  expect(await statuses()).toEqual([404, 404, 404])
})

test('drafts are deleted a year after the last change, and what is left of ended ones after a day', async () => {
  const key = newKey()
  await saved(ann, key, 0, { title: 'Old' })
  const ended = newKey()
  await saved(ann, ended, 0, {})
  await remove(ann, ended, 1)
  const clearAfter = (days: number) =>
    clearOldDrafts(db, { now: () => new Date(Date.now() + days * DAY_MS) })
  const keys = async () =>
    (await db.selectFrom('item_drafts').select('form').where('form', 'in', [key, ended]).execute())
      .length
  await clearAfter(0.9)
  expect(await keys()).toBe(2)
  await clearAfter(1.1)
  expect(await keys()).toBe(1)
  await clearAfter(364)
  expect((await get(ann, key)).status).toBe(200)
  await clearAfter(366)
  expect((await get(ann, key)).status).toBe(404)
})
