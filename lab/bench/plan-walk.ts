/** A walk through the whole product on a seeded database, with the plans of all its statements. */
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTokens } from '#server/accounts/sessions/tokens.ts'
import { systemClock } from '#server/kernel/clock.ts'
import { personId } from '#scripts/seed/content.ts'
import { fillSeed } from '#scripts/seed/fill.ts'
import { findTestPort } from '#server/testing/port.ts'
import { openSmtp } from '#server/testing/smtp.ts'
import { preparePlans, recordPlans, type Ran } from './call-plans.ts'
import { SAMPLES, type Sample } from './call-samples.ts'
import { waitForJobs, type BenchDatabase } from './database.ts'
import type { PersonName } from './market.ts'
import type { Known, Stage, Teller, Told } from './plan-stage.ts'
import { tellStory } from './plan-story.ts'
import { addressOf, SECRET, startProductOn } from './product.ts'

const SEED = 1
/** Each sample so often, with other items: some statements wait for a cold cache. */
const ROUNDS = 2
/** Views and judged comments are written in batches, some time after what caused them. */
const SETTLE_MS = 1500
/** The people who call, by number: none of them is an author of the first lessons' neighbours. */
const NUMBERS = { reader: 7, author: 1, administrator: 11 } as const
const CROWD = 50
const FIRST_OF_CROWD = 20

/** What a walk found. */
export interface Walk {
  readonly ran: readonly Ran[]
  /** Calls that were refused, or failed: what they should have sent can't be judged. */
  readonly failed: readonly string[]
  /** The folder in which V8 counted what of the sources ran. */
  readonly coverage: string
}

/**
 * Fills an empty database with `lessons` and what belongs to them, or takes one that was seeded so, and does on it all
 * that people and jobs do.
 */
export async function walkThrough(database: BenchDatabase, lessons: number): Promise<Walk> {
  const users = Math.ceil(lessons / 5)
  await fill(database, lessons, users)
  const subject = { ...database, logFile: join(database.dataDir, 'postgres.log') }
  await preparePlans(subject)
  const failed: string[] = []
  const coverage = join(database.dataDir, 'coverage')
  await mkdir(coverage)
  // From its start on: what it does then are statements too.
  const ran = await recordPlans(subject, async () => {
    const smtp = await openSmtp()
    const metricsPort = await findTestPort()
    const product = await startProductOn(database, {
      environment: {
        NODE_V8_COVERAGE: coverage,
        DRAIN_SECONDS: '0',
        SMTP_URL: smtp.url,
        METRICS_PORT: `${metricsPort}`,
      },
    })
    try {
      const stage = stageOn({ database, lessons, users, port: product.port, failed })
      await walkSamples(stage)
      await tellStory(stage)
      await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
      for (const words of ADMIN) await administer(database, coverage, words)
      await waitForJobs(database, SETTLE_MS)
    } finally {
      await product.stop()
      await smtp.close()
    }
  })
  return { ran, failed, coverage }
}

/** The words of `npm run admin --`. */
const ADMIN = [['grant', 'person13'], ['revoke', 'person13'], ['reset', 'person13'], ['recount']]

async function administer(
  database: BenchDatabase,
  coverage: string,
  words: readonly string[],
): Promise<void> {
  await promisify(execFile)(process.execPath, ['scripts/admin.ts', ...words], {
    env: {
      ...process.env,
      DATA_DIR: join(database.dataDir, 'product'),
      DATABASE_URL: addressOf(database),
      AUTH_SECRETS: SECRET,
      NODE_V8_COVERAGE: coverage,
    },
  })
}

async function fill(database: BenchDatabase, lessons: number, users: number): Promise<void> {
  const { client } = database
  const sizes = { lessons, users, purchases: lessons * 5, likes: lessons * 5, seed: SEED }
  const { rows } = await client.query('select from lessons limit 1')
  if (rows.length === 0)
    await fillSeed(
      { client, passwordHash: 'none', isAdded: false, hear: () => undefined },
      { ...sizes, comments: lessons * 3, messages: lessons * 5 },
    )
  const people = Array.from({ length: Math.min(users, FIRST_OF_CROWD + CROWD) }, (_, place) =>
    personId(SEED, place + 1),
  )
  await client.query(
    `insert into sessions (id, user_id, expires_at)
     select id, id, now() + interval '1 day' from unnest($1::uuid[]) id on conflict do nothing`,
    [people],
  )
  await client.query(`update users set role = 'administrator' where id = $1`, [
    personId(SEED, NUMBERS.administrator),
  ])
  // Who comments on a lesson has bought it.
  const callers = [NUMBERS.reader, ...Array.from({ length: CROWD }, (_, n) => FIRST_OF_CROWD + n)]
  const middle = Math.floor(lessons / 2)
  await client.query(
    `insert into lesson_purchases (user_id, lesson_id, price)
     select person, lesson, 100 from unnest($1::uuid[]) person, generate_series($2::int, $3::int) lesson
     on conflict do nothing`,
    [callers.map((each) => personId(SEED, each)), middle, middle + ROUNDS * SAMPLES.length],
  )
  await client.query('analyze sessions, users, lesson_purchases')
}

function stageOn(on: {
  database: BenchDatabase
  lessons: number
  users: number
  port: number
  failed: string[]
}): Stage {
  const tokens = createTokens({ secrets: [SECRET], accessMinutes: 60, clock: systemClock })
  const idOf = (person: number) => personId(SEED, person)
  const signIn = async (person: number): Promise<Known> => ({
    bearer: `Bearer ${await tokens.signAccess(idOf(person), idOf(person))}`,
    cookie: `kb=${tokens.refreshToken(idOf(person), 1)}`,
  })
  const headersOf = async (as: Teller | null): Promise<Record<string, string>> => {
    if (as === null) return {}
    const { bearer, cookie } = typeof as === 'number' ? await signIn(as) : as
    return bearer === '' ? { cookie } : { authorization: bearer, cookie }
  }
  const origin = `http://127.0.0.1:${on.port}`
  return {
    database: on.database,
    lessons: on.lessons,
    users: on.users,
    idOf,
    origin,
    signIn,
    tell: async (as, call, body, status): Promise<Told> => {
      const [method = 'GET', path = '/'] = call.split(' ')
      const headers = { accept: '*/*', origin, ...(await headersOf(as)) }
      const isJson = body !== undefined && !(body instanceof FormData)
      const answer = await fetch(origin + path, {
        method,
        redirect: 'manual',
        headers: isJson ? { ...headers, 'content-type': 'application/json' } : headers,
        body: body instanceof FormData ? body : isJson ? JSON.stringify(body) : null,
      })
      const text = await answer.text()
      const isExpected = status === undefined ? answer.status < 400 : answer.status === status
      if (!isExpected) on.failed.push(`${call}: ${answer.status} ${text.slice(0, 200)}`)
      const isObject = text.startsWith('{')
      return {
        status: answer.status,
        body: isObject ? (JSON.parse(text) as Record<string, unknown>) : {},
        cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '',
      }
    },
  }
}

/** Each sample some times. */
async function walkSamples({ tell, lessons, users }: Stage): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [place, sample] of SAMPLES.entries()) {
      const n = round * SAMPLES.length + place
      const { call, body } = fillIn(sample, n, lessons)
      await tell(numberOf(sample.as, n, users), call, body, sample.status ?? 200)
    }
  }
}

const numberOf = (person: PersonName, n: number, users: number): number | null =>
  person === 'crowd'
    ? FIRST_OF_CROWD + (n % Math.min(CROWD, users - FIRST_OF_CROWD))
    : person === 'guest'
      ? null
      : NUMBERS[person]

/** What stands for items and people, in the middle of the content: the first lesson is bought by half of all. */
function fillIn({ call, body }: Sample, n: number, lessons: number) {
  const middle = Math.floor(lessons / 2)
  const fillText = (text: string) =>
    text
      .replaceAll('{n}', `${middle + n}`)
      .replaceAll('{other}', `${middle + 500 + n}`)
      .replaceAll('{person}', personId(SEED, 8 + n))
      .replaceAll('author7', 'person8')
      .replaceAll('{uuid}', () => crypto.randomUUID())
  // There are ten times as few courses.
  const isCourse = / (?:\/api(?:\/rating)?)?\/course\//.test(call)
  return {
    call: fillText(isCourse ? call.replaceAll('{n}', `${1 + n}`) : call),
    body: body === undefined ? undefined : (JSON.parse(fillText(body)) as unknown),
  }
}
