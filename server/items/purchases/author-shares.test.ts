import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MOST_AUTHOR_SHARE } from '#contract/limits.ts'
import type { Entry, Ledger } from '#contract/points.ts'
import { buy as buyItem } from '#server/items/purchases/purchases.ts'
import { audit } from '#server/operate/audit/audit.ts'
import { continueRemovals } from '#server/operate/removal/unfinished.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { statementsOf } from '#server/testing/counting/statements.ts'
import { done } from '#server/testing/http/answers.ts'
import { publishLessons } from '#server/testing/learning/items.ts'
import { addPeople, signUpAll, viewerOf } from '#server/testing/people.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000', WELCOME_POINTS: '100000' })
const bob = await app.signUp('bob')
afterAll(() => app.close())

const buy = (as: Person, id: number, kind = 'lesson') => done(app, as, `POST /${kind}/buy/${id}`)
const drop = (as: Person, id: number, kind = 'lesson') => done(app, as, `DELETE /${kind}/${id}`)
const query = (text: string, values: unknown[] = []) => app.app.database.pool.query(text, values)
const priced = (id: number, price: number, kind = 'lesson') =>
  query(`update ${kind}s set price = $2 where id = $1`, [id, price])
const ledger = (as: Person) => done<Ledger>(app, as, 'GET /identity/points')
/** The ledger entries of shares, oldest first. */
const shares = async (as: Person) => {
  const { entries } = await ledger(as)
  const lines = entries.filter(({ reason }) => reason === 'share' || reason === 'shareReturned')
  return lines.toReversed()
}
const amounts = (entries: readonly Entry[]) => entries.map(({ amount }) => amount)
const netOf = async (person: Person) => {
  const { kbPoints, debt } = await ledger(person)
  return kbPoints - debt
}
/** Creates `count` buyers. The author got `given.each` from each of the last `given.of` in the order of ids. */
async function sellTo(
  count: number,
  author: Person,
  id: number,
  given: { of: number; each: number },
): Promise<void> {
  await query(
    `with buyer as (
       insert into users (id, username, username_skeleton, username_folded, email, email_folded, password_hash)
       select gen_random_uuid(), $1 || n, $1 || n, $1 || n, $1 || n || '@x.example', $1 || n || '@x.example', 'x'
       from generate_series(1, $2::integer) n returning id
     ), balance as (insert into point_balances (user_id, net) select id, 0 from buyer
     ), given as (
       insert into point_entries (user_id, amount, reason, net_after) select id, 100, 'welcome', 100 from buyer
     ), sold as (
       insert into lesson_purchases (user_id, lesson_id, price, share)
       select id, $3, 100, case when row_number() over (order by id desc) <= $4 then $5 else 0 end from buyer
     )
     insert into point_entries (user_id, amount, reason, item_kind, item_id, net_after)
     select id, -100, 'bought', 'lesson', $3, 0 from buyer`,
    [randomUUID().slice(0, 8), count, id, given.of, given.each],
  )
  const got = given.of * given.each
  await query(
    `with moved as (update point_balances set net = net + $2 where user_id = $1 returning net)
     insert into point_entries (user_id, amount, reason, item_kind, item_id, net_after)
     select $1, $2, 'share', 'lesson', $3, net from moved`,
    [author.session._id, got, id],
  )
  await query(`insert into author_shares values ('lesson', $1, $2, 1)`, [id, got])
}

describe('a purchase', () => {
  test('brings the author a tenth, which the ledger lists with the item', async () => {
    const ann = await app.signUp('ann')
    const lesson = await app.publishLesson(ann)
    const before = await ledger(ann)
    await buy(bob, lesson.id)
    const after = await ledger(ann)
    expect([after.kbPoints - before.kbPoints, after.earned - before.earned]).toEqual([10, 10])
    expect(after.entries[0]).toMatchObject({
      amount: 10,
      reason: 'share',
      item: { kind: 'lesson', id: lesson.id, title: lesson.title },
      balance: after.kbPoints,
    })
    // An author must not learn who bought.
    expect(JSON.stringify(after)).not.toContain(bob.session._id)
  })

  test('of a course brings the author a tenth too', async () => {
    const carl = await app.signUp('carl')
    const course = await app.publishCourse(carl)
    await buy(bob, course.id, 'course')
    const [line] = await shares(carl)
    expect(line).toMatchObject({ amount: 50, item: { kind: 'course', id: course.id } })
  })

  test('brings a share that is rounded down, even to nothing', async () => {
    const dora = await app.signUp('dora')
    for (const price of [99, 9, 0]) {
      const { id } = await app.publishLesson(dora)
      await priced(id, price)
      await buy(bob, id)
    }
    expect(amounts(await shares(dora))).toEqual([9])
  })

  test('brings no more than 1,000 points per item in total', async () => {
    const eve = await app.signUp('eve')
    const lesson = await app.publishLesson(eve)
    await priced(lesson.id, 4500)
    for (const name of ['one', 'two', 'three', 'four'])
      await buy(await app.signUp(`buyer${name}`), lesson.id)
    expect(amounts(await shares(eve))).toEqual([450, 450, 100])
    const [first] = await shares(eve)
    expect(first?.item?.id).toBe(lesson.id)
    await drop(eve, lesson.id)
    expect(amounts(await shares(eve))).toEqual([450, 450, 100, -MOST_AUTHOR_SHARE])
  })

  test('that is refused brings nothing', async () => {
    const fay = await app.signUp('fay')
    const { id } = await app.publishLesson(fay)
    await buy(bob, id)
    expect((await app.call('POST', `/lesson/buy/${id}`, { as: bob })).status).toBe(409)
    await priced(id, 1_000_000)
    const poor = await app.signUp('poor')
    expect((await app.call('POST', `/lesson/buy/${id}`, { as: poor })).status).toBe(400)
    expect((await app.call('POST', `/lesson/buy/${id}`, { as: fay })).status).toBe(409)
    expect(amounts(await shares(fay))).toEqual([10])
  })

  test('brings a suspended author their share, too', async () => {
    const gus = await app.signUp('gus')
    const { id } = await app.publishLesson(gus)
    await query('update users set suspended_at = now() where id = $1', [gus.session._id])
    await buy(bob, id)
    expect(amounts(await shares(gus))).toEqual([10])
  })

  test('brings nothing if the setting is 0', async () => {
    const none = await createTestApp({ AUTHOR_SHARE: '0', WELCOME_POINTS: '500' })
    try {
      const { hal, ida } = await signUpAll(none, 'hal', 'ida')
      const { id, kbPoints } = await none.publishLesson(hal)
      expect((await none.call('POST', `/lesson/buy/${id}`, { as: ida })).status).toBe(200)
      const { body } = await none.call<Ledger>('GET', '/identity/points', { as: hal })
      expect(body.kbPoints).toBe(kbPoints)
    } finally {
      await none.close()
    }
  })
})

describe('a refund', () => {
  test('takes exactly the share back, possibly as debt, as the dialog says before', async () => {
    const jon = await app.signUp('jon')
    const { id } = await app.publishLesson(jon)
    for (const name of ['kim', 'lea']) await buy(await app.signUp(name), id)
    const net = await netOf(jon)
    // Simulates that everything was spent.
    await query('update point_balances set net = net - $2 where user_id = $1', [
      jon.session._id,
      net - 50,
    ])
    await query(
      `insert into point_entries (user_id, amount, reason, note, net_after) values ($1, $2, 'edited', 'spent', 50)`,
      [jon.session._id, 50 - net],
    )
    const asked = await app.call('GET', `/lesson/removal/${id}`, { as: jon })
    expect(asked.body).toMatchObject({ buyers: 2, refund: 200, shares: 20, reward: 100, debt: 70 })
    await drop(jon, id)
    expect(await ledger(jon)).toMatchObject({ kbPoints: 0, debt: 70 })
    expect(amounts(await shares(jon))).toEqual([10, 10, -20])
  })

  test('of parts of a course takes a part each time, and all of it in the end', async () => {
    const max = await app.signUp('max')
    const lessons = await publishLessons(app, max, 7)
    const course = await app.publishCourse(max, { lessons })
    await buy(bob, course.id, 'course')
    await buy(await app.signUp('nia'), course.id, 'course')
    const asked = await app.call('GET', `/lesson/removal/${lessons[0]}`, { as: max })
    await drop(max, lessons[0] ?? 0)
    const [, , part] = await shares(max)
    // Each of the two gets 71 of 500 back; of the remaining 429 the author keeps 42.
    expect(part).toMatchObject({ amount: -16, reason: 'shareReturned', item: { kind: 'course' } })
    expect(part?.lessonTitle).toBeTruthy()
    expect(asked.body).toMatchObject({ refund: 142, shares: 16 })
    const whole = await app.call('GET', `/course/removal/${course.id}`, { as: max })
    expect(whole.body).toMatchObject({ shares: 84 })
    await drop(max, course.id, 'course')
    expect(amounts(await shares(max))).toEqual([50, 50, -16, -84])
  })

  test('of many purchases takes each share back once, wherever it is interrupted', async () => {
    const ola = await app.signUp('ola')
    const { id } = await app.publishLesson(ola)
    await sellTo(2500, ola, id, { of: 700, each: 1 })
    await drop(ola, id)
    const goOn = () => continueRemovals(app.app.core)
    await Promise.all([goOn(), goOn(), goOn()])
    const back = (await shares(ola)).filter(({ reason }) => reason === 'shareReturned')
    expect(amounts(back).reduce((sum, amount) => sum + amount, 0)).toBe(-700)
    await Promise.all([goOn(), app.runJobs()])
    expect((await shares(ola)).filter(({ reason }) => reason === 'shareReturned')).toEqual(back)
  })

  test('takes nothing if a batch fails, and the next attempt takes all', async () => {
    const pam = await app.signUp('pam')
    const { id } = await app.publishLesson(pam)
    await sellTo(1800, pam, id, { of: 500, each: 2 })
    await drop(pam, id)
    await query(`alter table author_shares add constraint no_more check (paid >= 1000) not valid`)
    await expect(continueRemovals(app.app.core)).rejects.toThrow('no_more')
    await query('alter table author_shares drop constraint no_more')
    expect(await shares(pam)).toHaveLength(1)
    await continueRemovals(app.app.core)
    expect(amounts(await shares(pam))).toEqual([1000, -1000])
  })

  test('never follows an erased account, whose sales stay valid', async () => {
    const quinn = await app.signUp('quinn')
    const { id } = await app.publishLesson(quinn)
    await buy(bob, id)
    await done(app, quinn, 'POST /identity/erase', { password: quinn.password })
    await app.runJobs()
    const { rows } = await query(
      `select reason, amount from point_entries where user_id = $1 and reason like 'share%'`,
      [quinn.session._id],
    )
    expect(rows).toEqual([{ reason: 'share', amount: 10 }])
  })
})

describe('many purchases at once', () => {
  const PEOPLE = 40
  const POINTS = 10_000
  let people: Person[]
  beforeAll(async () => {
    people = await addPeople(app, PEOPLE)
    for (const person of people) await app.give(person, POINTS)
  })
  const idOf = ({ session }: Person) => session._id
  const buyLesson = (person: Person, id: number) =>
    buyItem(app.app.core, 'lesson', viewerOf(person), id)
  const buyersOf = async (id: number) => {
    const { rows } = await query('select user_id from lesson_purchases where lesson_id = $1', [id])
    return new Set(rows.map((row) => row.user_id))
  }

  test('each of many concurrent purchases is refused separately', async () => {
    const [one = 0, dear = 0] = await publishLessons(app, bob, 2)
    await priced(dear, POINTS + 1)
    const statuses = await Promise.all(
      people.map(async (as, n) => {
        const id = n % 3 === 0 ? one : n % 3 === 1 ? dear : 999_999
        return (await app.call('POST', `/lesson/buy/${id}`, { as })).status
      }),
    )
    expect(statuses).toEqual(people.map((_, n) => (n % 3 === 0 ? 200 : n % 3 === 1 ? 400 : 404)))
    expect(await buyersOf(one)).toEqual(new Set(people.filter((_, n) => n % 3 === 0).map(idOf)))
    expect(await buyersOf(dear)).toEqual(new Set())
  })

  test('the share of concurrent purchases ends at the limit', async () => {
    const eve = await app.signUp('evan')
    const { id } = await app.publishLesson(eve)
    await priced(id, 1900)
    const before = await query('select user_id, net from point_balances')
    const netOf = new Map(before.rows.map((row) => [row.user_id, row.net]))
    const answers = await Promise.all(people.map((person) => buyLesson(person, id)))
    expect(answers).toEqual(people.map((person) => ({ kbPoints: netOf.get(idOf(person)) - 1900 })))
    const { rows } = await query(
      `select amount, net_after from point_entries where user_id = $1 and reason = 'share' order by id`,
      [idOf(eve)],
    )
    expect(rows.map((row) => row.amount)).toEqual([190, 190, 190, 190, 190, 50])
    expect(rows.at(-1)?.net_after - rows[0]?.net_after).toBe(MOST_AUTHOR_SHARE - 190)
  })
})

test('the audit finds nothing in any of it', async () => {
  const { findings } = await audit(app.app.core, { isLive: false })
  expect(findings.filter(({ rule }) => rule !== 'entryNotRunning')).toEqual([])
})

test.each(['lesson', 'course'])(
  'a purchase of a %s is written in one transaction',
  async (kind) => {
    const author = await app.signUp(`${kind}seller`)
    const { id } = await (kind === 'lesson' ? app.publishLesson(author) : app.publishCourse(author))
    const sent = await statementsOf(() => buy(bob, id, kind))
    for (const table of [`${kind}_purchases`, 'point_entries', 'author_shares', 'events']) {
      const writes = sent.filter(({ text }) => new RegExp(`insert into "?${table}\\b`).test(text))
      expect(writes.length, table).toBeGreaterThan(0)
      expect(writes.every(({ inTransaction }) => inTransaction)).toBe(true)
    }
  },
)
