import { describe, expect, it } from 'vitest'
import type { Ledger } from '#contract/points.ts'
import { award } from '#server/people/points/ledger.ts'
import type { Person } from '#server/testing/app.ts'
import { openTestApp } from '#server/testing/setup.ts'

const AT = new Date()

const app = await openTestApp({ WELCOME_POINTS: '100' })
const elena = await app.signUp('Elena')
const userId = elena.session._id
await app.app.database.db.transaction().execute(async (tx) => {
  const give = (id: number, amount: number, reason: 'created' | 'bought' | 'rewardWithdrawn') =>
    award(tx, {
      at: AT,
      userId,
      amount,
      reason,
      item: { kind: 'lesson', id, title: `Lesson ${id}` },
    })
  for (let id = 1; id <= 60; id += 1) await give(id, 10, 'created')
  await give(1, -600, 'bought')
  await award(tx, {
    at: AT,
    userId,
    amount: 0,
    reason: 'rewardWithheld',
    item: { kind: 'lesson', id: 99, title: 'Sonnets' },
    note: 'sameVideo',
  })
  await give(2, -150, 'rewardWithdrawn')
})

const show = (query = '', as: Person | undefined = elena) =>
  app.call<Ledger>('GET', `/identity/points${query}`, { as })

describe('the ledger page', () => {
  it("shows nothing of another person's", async () => {
    const { body } = await show('', await app.signUp('Boris'))
    expect(body).toMatchObject({ kbPoints: 100, earned: 100, spent: 0, total: 1 })
    expect(body.entries).toEqual([
      {
        id: expect.any(Number),
        amount: 100,
        reason: 'welcome',
        date: expect.any(String),
        balance: 100,
      },
    ])
  })

  it('tells what was refunded and taken back apart from what was earned and spent', async () => {
    const vera = await app.signUp('Vera')
    const entries = [
      ['created', 100],
      ['created', 500],
      ['bought', -500],
      ['bought', -100],
      ['refunded', 100],
      ['lessonGone', 83],
      ['rewardWithdrawn', -500],
      ['edited', 0],
    ] as const
    await app.app.database.db.transaction().execute(async (tx) => {
      for (const [id, [reason, amount]] of entries.entries())
        await award(tx, {
          at: AT,
          userId: vera.session._id,
          amount,
          reason,
          item: { kind: 'course', id, title: 'Knots' },
        })
    })
    const { body } = await show('', vera)
    const { earned, refunded, spent, takenBack, kbPoints, debt } = body
    expect({ earned, refunded, spent, takenBack }).toEqual({
      earned: 700,
      refunded: 183,
      spent: 600,
      takenBack: 500,
    })
    expect(earned + refunded - spent - takenBack).toBe(kbPoints - debt)
  })

  it('sums all and shows fifty, the newest first', async () => {
    const { body } = await show()
    expect(body).toMatchObject({ kbPoints: 0, debt: 50, total: 64 })
    expect(body).toMatchObject({ earned: 700, refunded: 0, spent: 600, takenBack: 150 })
    expect(body.entries).toHaveLength(50)
    const [withdrawn, withheld, bought, created] = body.entries
    expect(withdrawn).toMatchObject({ amount: -150, reason: 'rewardWithdrawn', balance: 0 })
    expect(withheld).toEqual({
      id: expect.any(Number),
      amount: 0,
      reason: 'rewardWithheld',
      rewardReason: 'sameVideo',
      item: { kind: 'lesson', id: 99, title: 'Sonnets', gone: true },
      date: expect.any(String),
      balance: 100,
    })
    expect(bought).toMatchObject({ amount: -600, reason: 'bought', balance: 100 })
    expect(created).toMatchObject({ amount: 10, reason: 'created', balance: 700 })
  })

  it('goes on with the second page, and then is empty', async () => {
    const { body } = await show('?page=2')
    expect(body.entries).toHaveLength(14)
    expect(body.entries.at(-1)).toMatchObject({ reason: 'welcome', balance: 100 })
    expect((await show('?page=3')).body.entries).toEqual([])
  })

  it('filters what came in and what went out', async () => {
    expect((await show('?show=in')).body.total).toBe(61)
    // Every tab shows its count, whichever is open.
    expect((await show('?show=in')).body.counts).toEqual({ all: 64, in: 61, out: 2 })
    const { body } = await show('?show=out')
    expect(body.total).toBe(2)
    expect(body.entries.map((entry) => entry.amount)).toEqual([-150, -600])
  })
})
