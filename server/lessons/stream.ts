/** The whole list as one array, written as it is read: a batch in memory, no connection held while a reader is slow. */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { lessons, type LessonCard, type LessonQuery } from '#contract/lessons.ts'
import { EXACT_TOTAL } from '#contract/limits.ts'
import { PLANNED_AFRESH, type Db } from '#server/db/connect.ts'
import { parseInput, type Viewer } from '#server/kernel/call.ts'
import { unavailable } from '#server/kernel/errors.ts'
import { bearerOf } from '#server/kernel/http.ts'
import { cardColumns, cardJoins, toCard, type CardRow } from '#server/lessons/cards.ts'
import { conditionsOf, orderOf } from '#server/lessons/search.ts'

const BATCH = 500
/** Answers of over EXACT_TOTAL lessons at a time. */
const MOST_LONG = 2
const RETRY_SECONDS = 10

/**
 * Everything a query finds, in its order, batch after batch. Each batch begins after the last lesson of the one
 * before: what is written meanwhile may move across that line, but nothing else is missed or doubled.
 */
async function* streamAllLessons(
  db: Db,
  query: LessonQuery,
  viewer: Viewer | null,
): AsyncGenerator<LessonCard[]> {
  let after: CardRow | undefined
  do {
    const rows = await readBatch(db, query, viewer, after)
    after = rows.length === BATCH ? rows.at(-1) : undefined
    if (rows.length > 0) yield rows.map((row) => toCard(row, viewer))
  } while (after !== undefined)
}

async function readBatch(
  db: Db,
  query: LessonQuery,
  viewer: Viewer | null,
  after: CardRow | undefined,
): Promise<CardRow[]> {
  const { rows } = await sql<CardRow>`${PLANNED_AFRESH}
    with page as materialized (
      select l.id from lessons l where ${conditionsOf(query, 'looked up')}${beyond(query, after)}
      order by ${orderOf(query.sort, 'l')} limit ${sql.lit(BATCH)}
    )
    select ${cardColumns} from page join lessons l on l.id = page.id ${cardJoins(viewer?.id ?? null)}
    order by ${orderOf(query.sort, 'l')}`.execute(db)
  return rows
}

function beyond({ sort }: LessonQuery, after: CardRow | undefined) {
  if (after === undefined) return sql``
  if (sort === 'none') return sql` and l.id < ${after.id}`
  return sql` and (l.${sql.raw(sort)}, l.id) < (${after[sort]}, ${after.id})`
}

async function isLong(db: Db, query: LessonQuery): Promise<boolean> {
  const { rows } = await sql<{ found: number }>`${PLANNED_AFRESH}
    select count(*) as found from (select 1 from lessons l where ${conditionsOf(query, 'looked up')} limit ${sql.lit(EXACT_TOTAL + 1)}) counted`.execute(
    db,
  )
  return (rows[0]?.found ?? 0) > EXACT_TOTAL
}

async function* toJson(cards: AsyncIterable<LessonCard[]>): AsyncGenerator<string> {
  let separator = '['
  for await (const batch of cards) {
    yield `${separator}${batch.map((card) => JSON.stringify(card)).join(',')}`
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}

interface StreamNeeds {
  readonly db: Db
  /** The viewer of a call's bearer token; null for a guest. */
  readonly viewerOf: (request: FastifyRequest) => Promise<Viewer | null>
}

/**
 * Lets `GET /api/lesson/all` without `page` answer the whole list. Register it before the routes: it adds itself
 * to that route when the route is added. Calls with a page go on to the route's own handler.
 */
export function registerLessonStream(app: FastifyInstance, { db, viewerOf }: StreamNeeds): void {
  let long = 0
  app.addHook('onRoute', (route) => {
    if (route.url !== `/api${lessons.all.path}`) return
    route.preHandler = async (request, reply) => {
      // What that schema gives.
      const query = parseInput(lessons.all, firstValues(request.query)) as LessonQuery
      if (query.page !== undefined || request.method === 'HEAD') return
      const viewer = await viewerOf(request)
      if (viewer === null && bearerOf(request) !== null) reply.header('x-session', 'expired')
      const counts = await isLong(db, query)
      if (counts && long >= MOST_LONG) throw unavailable(RETRY_SECONDS)
      const stream = Readable.from(toJson(streamAllLessons(db, query, viewer)), {
        objectMode: true,
        highWaterMark: 1,
      })
      if (counts) {
        long += 1
        stream.once('close', () => {
          long -= 1
        })
      }
      await reply
        .type('application/json; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(stream)
    }
  })
}

/** A parameter that comes twice counts once. */
function firstValues(query: unknown): Record<string, unknown> {
  const entries = typeof query === 'object' && query !== null ? Object.entries(query) : []
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? (value as unknown[])[0] : value]),
  )
}
