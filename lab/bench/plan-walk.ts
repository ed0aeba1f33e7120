/** Runs the product's calls and jobs on a seeded database and records the plans of their statements. */
import { SECRET } from '#lab/product.ts'
import { createTokens } from '#server/people/accounts/sessions/tokens.ts'
import { systemClock } from '#server/kernel/clock.ts'
import { personId } from '#scripts/seed/content.ts'
import { fillSeed } from '#scripts/seed/fill.ts'
import { preparePlans, recordPlans, type Ran } from './call-plans.ts'
import { startProductOn, waitForJobs, type BenchDatabase } from './database.ts'
import { LIST_SAMPLES, SAMPLES, type PersonName, type Sample } from './walk-calls.ts'

const SEED = 1
/** Views and judged comments are written in batches some time after the call. */
const SETTLE_MS = 1500
/** Callers by their number in the seed. */
const NUMBERS = { reader: 7, author: 1, administrator: 11 } as const
const CROWD = 50
const FIRST_OF_CROWD = 20
const RECURRING = [
  'continueRemovals',
  'clearUnattached',
  'clearDrafts',
  'clearSettled',
  'sweepPictures',
  'clearSignIns',
  'sweepComments',
  'sweepRatings',
  'rankItems',
  'clearLetterAttempts',
  'queueWaitingMails',
  'forgetMails',
  'clearExports',
  'clearWebhooks',
]

export interface Walk {
  readonly ran: readonly Ran[]
  /** Calls with an unexpected status. */
  readonly failed: readonly string[]
}

/** Seeds an empty database and calls everything once. */
export async function walkThrough(database: BenchDatabase, lessons: number): Promise<Walk> {
  await fillForWalk(database, lessons)
  await preparePlans(database)
  const failed: string[] = []
  const ran = await recordPlans(database, async () => {
    const product = await startProductOn(database)
    const tell = createTeller(product.url, failed)
    try {
      for (const [n, sample] of [...SAMPLES, ...LIST_SAMPLES].entries()) {
        const { call, body } = fillIn(sample, n, lessons)
        await tell(numberOf(sample.as, n), call, body, sample.status)
      }
      await remove(tell)
      await database.client.query(
        `select graphile_worker.add_job(name, '{}') from unnest($1::text[]) name`,
        [RECURRING],
      )
      await waitForJobs(database, SETTLE_MS)
    } finally {
      await product.stop()
    }
  })
  return { ran, failed }
}

type Tell = (as: number | null, call: string, body?: unknown, status?: number) => Promise<void>

/** Removes a lesson that half of all people bought, which needs several transactions, and a course. */
async function remove(tell: Tell): Promise<void> {
  const reason = 'It is not what it says it is.'
  await tell(NUMBERS.administrator, 'DELETE /api/lesson/1', { reason })
  await tell(NUMBERS.administrator, 'DELETE /api/course/40', { reason })
}

/** Fills an empty database with seeded content, and with sessions and purchases of the callers. */
export async function fillForWalk({ client }: BenchDatabase, lessons: number): Promise<void> {
  const users = Math.ceil(lessons / 2)
  const sizes = { lessons, users, purchases: lessons * 5, likes: lessons * 5, seed: SEED }
  await fillSeed(
    { client, passwordHash: 'none', isAdded: false, hear: () => undefined },
    { ...sizes, comments: lessons * 3, messages: lessons * 5 },
  )
  const numbers = Array.from({ length: FIRST_OF_CROWD + CROWD }, (_, place) => place + 1)
  const idsOf = (people: readonly number[]) => people.map((number) => personId(SEED, number))
  await client.query(
    `insert into sessions (id, user_id, expires_at)
     select id, id, now() + interval '1 day' from unnest($1::uuid[]) id`,
    [idsOf(numbers)],
  )
  await client.query(`update users set role = 'administrator' where id = $1`, [
    personId(SEED, NUMBERS.administrator),
  ])
  // Only buyers may comment on a lesson.
  const buyers = numbers.filter((number) => number >= FIRST_OF_CROWD || number === NUMBERS.reader)
  const middle = Math.floor(lessons / 2)
  await client.query(
    `insert into lesson_purchases (user_id, lesson_id, price)
     select person, lesson, 100 from unnest($1::uuid[]) person, generate_series($2::int, $3::int) lesson
     on conflict do nothing`,
    [idsOf(buyers), middle, middle + SAMPLES.length],
  )
  await client.query('analyze sessions, users, lesson_purchases')
}

/** Sends requests as a seeded person or a guest, and records a status of 400 or above, or other than `status`. */
export function createTeller(origin: string, failed: string[]): Tell {
  const tokens = createTokens({ secrets: [SECRET], accessMinutes: 60, clock: systemClock })
  const headersOf = async (as: number | null): Promise<Record<string, string>> => {
    if (as === null) return {}
    const id = personId(SEED, as)
    return {
      authorization: `Bearer ${await tokens.signAccess(id, id)}`,
      cookie: `kb=${tokens.refreshToken(id, 1)}`,
    }
  }
  return async (as, call, body, status) => {
    const [method = 'GET', path = '/'] = call.split(' ')
    const answer = await fetch(origin + path, {
      method,
      redirect: 'manual',
      headers: {
        accept: '*/*',
        origin,
        ...(await headersOf(as)),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await answer.text()
    const isExpected = status === undefined ? answer.status < 400 : answer.status === status
    if (!isExpected) failed.push(`${call}: ${answer.status} ${text.slice(0, 200)}`)
  }
}

/** Returns the number of the seeded person who makes the n-th call, or null for a guest. */
export const numberOf = (person: PersonName, n: number): number | null =>
  person === 'crowd' ? FIRST_OF_CROWD + (n % CROWD) : person === 'guest' ? null : NUMBERS[person]

/** Uses items from the middle of the content, because half of all people bought the first lesson. */
export function fillIn({ call, body }: Sample, n: number, lessons: number) {
  const middle = Math.floor(lessons / 2)
  const fillText = (text: string) =>
    text
      .replaceAll('{n}', `${middle + n}`)
      .replaceAll('{other}', `${middle + 500 + n}`)
      .replaceAll('{person}', personId(SEED, 8 + n))
      .replaceAll('author7', 'person8')
      .replaceAll('{uuid}', () => crypto.randomUUID())
  // There are a tenth as many courses.
  const isCourse = / (?:\/api(?:\/rating)?)?\/course\//.test(call)
  return {
    call: fillText(isCourse ? call.replaceAll('{n}', `${1 + n}`) : call),
    body: body === undefined ? undefined : (JSON.parse(fillText(body)) as unknown),
  }
}
