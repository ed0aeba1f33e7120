import { afterAll, expect, test } from 'vitest'
import { MOST_AUTHOR_SHARE } from '#contract/limits.ts'
import { audit } from '#server/operate/audit/audit.ts'
import { buy as buyItem } from '#server/items/purchases/purchases.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { addPeople, viewerOf } from '#server/testing/people.ts'

const PEOPLE = 40
const POINTS = 10_000

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const ann = await app.signUp('ann')
const people = await addPeople(app, PEOPLE)
afterAll(() => app.close())

const query = (text: string, values: unknown[] = []) => app.app.database.pool.query(text, values)
const idOf = ({ session }: Person) => session._id
const buy = async (as: Person, id: number) =>
  (await app.call('POST', `/lesson/buy/${id}`, { as })).status
const buyLesson = (person: Person, id: number) =>
  buyItem(app.app.core, 'lesson', viewerOf(person), id)
const priced = (id: number, price: number) =>
  query('update lessons set price = $2 where id = $1', [id, price])
const buyersOf = async (id: number) => {
  const { rows } = await query('select user_id from lesson_purchases where lesson_id = $1', [id])
  return new Set(rows.map((row) => row.user_id))
}
const findings = async () => {
  const { db } = app.app.database
  const report = await audit({ db, storage: app.app.core.storage }, { isLive: false })
  return report.findings
}

await query(
  `with given as (update point_balances set net = $2 where user_id = any($1) returning user_id)
   insert into point_entries (user_id, amount, reason, net_after) select user_id, $2, 'welcome', $2 from given`,
  [people.map(idOf), POINTS],
)

test('each of many concurrent purchases is refused separately', async () => {
  const [{ id: one }, { id: dear }] = [await app.publishLesson(ann), await app.publishLesson(ann)]
  await priced(dear, POINTS + 1)
  const statuses = await Promise.all(
    people.map((person, n) => buy(person, n % 3 === 0 ? one : n % 3 === 1 ? dear : 999_999)),
  )
  expect(statuses).toEqual(people.map((_, n) => (n % 3 === 0 ? 200 : n % 3 === 1 ? 400 : 404)))
  expect(await buyersOf(one)).toEqual(new Set(people.filter((_, n) => n % 3 === 0).map(idOf)))
  expect(await buyersOf(dear)).toEqual(new Set())
})

test('the share of concurrent purchases ends at the limit', async () => {
  const eve = await app.signUp('eve')
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

test('people who buy from each other concurrently get their shares', async () => {
  const authors: Person[] = []
  for (let n = 0; n < 6; n += 1) authors.push(await app.signUp(`author${n}`))
  const lessons: number[] = []
  for (const author of authors) lessons.push((await app.publishLesson(author)).id)
  const answers = await Promise.allSettled(
    authors.flatMap((author) => lessons.map((id) => buyLesson(author, id))),
  )
  // Each has 200 points, enough for two lessons, and earns a tenth of each sale, so not all purchases succeed.
  const bought = answers.filter(({ status }) => status === 'fulfilled').length
  expect(bought).toBeGreaterThanOrEqual(authors.length)
  const { rows } = await query('select count(*) from lesson_purchases where lesson_id = any($1)', [
    lessons,
  ])
  expect(rows).toEqual([{ count: bought }])
})

test('the audit finds nothing in any of it', async () => {
  expect(await findings()).toEqual([])
})
