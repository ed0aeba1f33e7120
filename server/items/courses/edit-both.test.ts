/** Edits of lessons and courses have these rules in common. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { FormError } from '#contract/errors.ts'
import type { Ledger } from '#contract/points.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { createTestApp, testPicture } from '#server/testing/app.ts'
import { done, statusesOf } from '#server/testing/http/answers.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { publishLessons } from '#server/testing/learning/items.ts'
import { signUpAll } from '#server/testing/people.ts'

interface Item {
  readonly id: number
  readonly title: string
  readonly thumbnail: string
  readonly version: number
}

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, admin } = await signUpAll(app, 'ann', 'admin')
await setRole(app.app.database.db, 'admin', 'administrator')
const lessons = await publishLessons(app, ann, 6)
afterAll(() => app.close())

describe.each([
  { kind: 'lesson', words: 'Lesson not found or deleted (sorry)' },
  { kind: 'course', words: 'Course not found or deleted (sorry)' },
] as const)('an edit of a $kind', ({ kind, words }) => {
  let item: Item
  beforeEach(async () => {
    item = await (kind === 'lesson' ? app.publishLesson(ann) : app.publishCourse(ann, { lessons }))
  })
  const patch = (fields: Record<string, string | File>, as = ann, id = item.id) =>
    app.call<Item & FormError[]>('PATCH', `/${kind}/${id}`, { as, form: formOf(fields) })
  const show = () => done<Item>(app, ann, `GET /${kind}/${item.id}`)
  const find = async (search: string) => {
    const line = `GET /${kind}/all?page=1&search=${encodeURIComponent(search)}`
    return (await done<Item[]>(app, ann, line)).map(({ id }) => id)
  }

  test('is refused where there is none, and to an administrator with a reason of two letters', async () => {
    const { status, body } = await patch({ title: 'New title' }, ann, 999_999)
    expect([status, body[0]?.description]).toEqual([404, words])
    const short = await patch({ title: 'New title', reason: 'no' }, admin)
    expect([short.status, short.body[0]?.field, short.body[0]?.code]).toEqual([
      400,
      'reason',
      'reasonValMs',
    ])
  })

  test('is refused after another edit, and changes nothing', async () => {
    expect((await patch({ title: 'First', version: '1' })).body.version).toBe(2)
    const { status, body } = await patch({ title: 'Second', version: '1' })
    expect([status, body[0]?.code]).toEqual([409, 'editedMeanwhile'])
    expect((await show()).title).toBe('First')
  })

  test('is the only one of ten concurrent edits of a version to succeed', async () => {
    const saves = Array.from({ length: 10 }, (_, n) => patch({ title: `Save ${n}`, version: '1' }))
    expect(statusesOf(await Promise.all(saves))).toEqual([200, ...Array<number>(9).fill(409)])
  })

  test('leaves absent fields as they are', async () => {
    const before = await show()
    await patch({ title: 'New title' })
    expect(await show()).toMatchObject({ ...before, title: 'New title', version: 2 })
  })

  test('replaces the picture by a new one', async () => {
    const bytes = await (await testPicture()).arrayBuffer()
    const image = new File([bytes, new Uint8Array([0])], 'other.jpg', { type: 'image/jpeg' })
    expect((await patch({ image })).body.thumbnail).not.toBe(item.thumbnail)
  })

  test('is found by its new title and no longer by the old one', async () => {
    await patch({ title: `Zebra of a ${kind}` })
    expect(await find('zebra')).toEqual([item.id])
    expect(await find(item.title)).not.toContain(item.id)
  })

  test('by an administrator is explained to the owner in the ledger', async () => {
    await patch({ title: 'Milder', reason: 'First reason' }, admin)
    await patch({ title: 'Milder still', reason: 'Second reason' }, admin)
    const { entries } = await done<Ledger>(app, ann, 'GET /identity/points')
    const line = { amount: 0, reason: 'edited', item: { kind, id: item.id, title: 'Milder still' } }
    expect(entries.filter(({ reason }) => reason === 'edited').slice(0, 2)).toMatchObject([
      { ...line, note: 'Second reason' },
      { ...line, note: 'First reason' },
    ])
    expect(await show()).toMatchObject({ owner: ann.session._id })
  })
})
