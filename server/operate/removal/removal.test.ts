import { describe, expect, test } from 'vitest'
import { removalsOf } from '#server/testing/learning/removals.ts'
import { setUser } from '#server/testing/rows.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({ DAILY_REWARD_LIMIT: '1000' })
const removals = removalsOf(app)
const { lesson, ledger, pointsOf, rich } = removals
const { remove, preview, buy } = lesson
const ann = await app.signUp('ann')
const bob = await rich('bob', 10_000)
const admin = await app.signUp('admin')
await setUser(app, admin, { role: 'administrator' })

describe.each([
  { kind: 'lesson', price: 100, share: 10, lists: ['all', 'bought', 'yours', 'popular', 'newest'] },
  { kind: 'course', price: 500, share: 50, lists: ['all', 'bought', 'yours', 'highest'] },
] as const)('a deleted $kind', ({ kind, price, share, lists }) => {
  const item = removals[kind]
  const publish = () => (kind === 'lesson' ? app.publishLesson(ann) : app.publishCourse(ann))

  test('must exist', async () => {
    const { status, body } = await item.remove(ann, 999_999)
    expect([status, body.title]).toEqual([404, expect.stringMatching(/not found or deleted/)])
    expect((await item.preview(ann, 999_999)).status).toBe(404)
  })

  test('has a reason of 3 to 200 characters, if any', async () => {
    const { id } = await publish()
    for (const query of ['?reason=ab', `?reason=${'r'.repeat(201)}`]) {
      const { status, body } = await item.remove(admin, id, query)
      expect([status, Object.keys(body.errors ?? {})]).toEqual([400, ['reason']])
    }
  })

  test('is previewed', async () => {
    const { id, kbPoints } = await publish()
    await item.buy(bob, id)
    expect((await item.preview(ann, id)).body).toEqual({
      buyers: 1,
      refund: price,
      shares: share,
      reward: price,
      kbPoints: kbPoints - price,
      debt: 0,
      ...(kind === 'lesson' && { courses: [] }),
    })
  })

  test('disappears for everybody immediately', async () => {
    const { id, title } = await publish()
    await item.buy(bob, id)
    await item.remove(ann, id)
    for (const as of [undefined, ann, bob, admin])
      expect((await app.call('GET', `/${kind}/${id}`, { as })).status).toBe(404)
    for (const list of [...lists, `all?page=1&search=${encodeURIComponent(title)}`]) {
      const { body } = await app.call<{ id: number }[]>('GET', `/${kind}/${list}`, { as: bob })
      expect(body.map((card) => card.id)).not.toContain(id)
    }
    const edit = { as: ann, form: new FormData() }
    expect((await app.call('PATCH', `/${kind}/${id}`, edit)).status).toBe(404)
    expect((await item.buy(bob, id)).status).toBe(404)
  })

  test('refunds price and reward exactly, with their reasons', async () => {
    const { id, title, kbPoints } = await publish()
    const before = await pointsOf(bob)
    await item.buy(bob, id)
    expect((await item.remove(ann, id)).body).toEqual({ kbPoints: kbPoints - price })
    const gone = { item: { kind, id, title, gone: true } }
    const withdrawn = { amount: -price, reason: 'rewardWithdrawn', ...gone }
    expect((await ledger(ann)).entries[0]).toMatchObject(withdrawn)
    expect(await pointsOf(bob)).toBe(before)
    const refunded = { amount: price, reason: 'refunded', ...gone }
    expect((await ledger(bob)).entries[0]).toMatchObject(refunded)
  })

  test('notifies its owner of an administrator’s reason', async () => {
    const { id } = await publish()
    const query = '?reason=Copied%20from%20a%20book'
    expect((await item.remove(admin, id, query)).status).toBe(200)
    const told = { reason: 'deletedByAdministrator', note: 'Copied from a book' }
    expect((await ledger(ann)).entries.slice(0, 2)).toMatchObject([
      { amount: 0, ...told, item: { kind, id, gone: true } },
      { amount: -price, reason: 'rewardWithdrawn' },
    ])
  })
})

test('a spent reward becomes debt', async () => {
  const carl = await app.signUp('carl')
  const { id } = await app.publishLesson(carl)
  await buy(carl, (await app.publishLesson(ann)).id)
  expect((await preview(carl, id)).body).toMatchObject({ kbPoints: 0, debt: 100 })
  expect((await remove(carl, id)).body).toEqual({ kbPoints: 0 })
  expect(await ledger(carl)).toMatchObject({ kbPoints: 0, debt: 100 })
  await app.publishLesson(carl)
  expect(await ledger(carl)).toMatchObject({ kbPoints: 0, debt: 0 })
})

test('a lesson without a reward takes back nothing', async () => {
  const dora = await app.signUp('dora')
  const first = await app.publishLesson(dora)
  const second = await app.publishLesson(dora, { video: first.video })
  expect((await preview(dora, second.id)).body).toMatchObject({ reward: 0, kbPoints: 100 })
  expect((await remove(dora, second.id)).body).toEqual({ kbPoints: 100 })
})
