/** The connection: a pool of 8, named statements, Kysely on top. */
import { createHash } from 'node:crypto'
import {
  Kysely,
  PostgresDialect,
  sql,
  type PostgresPool,
  type PostgresPoolClient,
  type Transaction,
} from 'kysely'
import pg, { type ClientConfig } from 'pg'
import Cursor from 'pg-cursor'
import { withFallback } from '#server/db/replica/fallback.ts'
import { openPool, type BoundedPool, type Work } from '#server/db/pool.ts'
import type { DB } from '#server/db/types.gen.ts'
import type { Log } from '#server/kernel/log.ts'

export type Db = Kysely<DB>
export type Tx = Transaction<DB>
/** Verbs take either; those that must join the caller's transaction take `Tx`. */
export type DbOrTx = Db | Tx

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
/** Which pg knows by number only. */
const INT8_ARRAY: number = 1016
// Of ids, without nulls.
pg.types.setTypeParser(INT8_ARRAY, (text) =>
  text === '{}' ? [] : text.slice(1, -1).split(',').map(Number),
)
// A day stays `YYYY-MM-DD`: a Date would shift it by the process's time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, String)

/**
 * Begins a statement whose best plan depends on its values (a search): it gets no name, so that it is planned for them.
 */
export const CUSTOM_PLAN = sql`/* custom plan */`
const CUSTOM_PLAN_MARK = '/* custom plan */'

/** Statement names by text; texts are few, because lists go as `= any($1)`. */
const names = new Map<string, string>()
function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha1').update(text).digest('base64url').slice(0, 20)
    if (names.size < 5000) names.set(text, name)
  }
  return name
}

export interface Connection {
  readonly db: Db
  readonly pool: BoundedPool
  close(): Promise<void>
}

const POOL = 8

interface ReadsOptions {
  /** What its statements are measured as. */
  readonly name: string
  /** It stays open when this is closed. */
  readonly fallback: Connection
  /** A connection could not be had, or was lost. */
  onLost(): void
}

interface ConnectOptions {
  /** False behind a pooler that loses named statements. */
  readonly prepare?: boolean
  readonly size?: number
  /** Whose limits of time; those of requests unless given. */
  readonly work?: Work
  /** A pooler stands between. */
  readonly pooled?: boolean
  /** Reads alone, each statement for itself and none in a transaction: one that fails is sent once more elsewhere. */
  readonly reads?: ReadsOptions
  /** Measures each statement (kernel/metrics/database.ts). */
  readonly meter?: StatementMeter
}

/** What is known of a statement that has ended: its name and its text, never its values. */
interface Ended {
  readonly name: () => string
  readonly text: string
  readonly seconds: number
  /** Null: it succeeded. */
  readonly error: unknown
}

export interface StatementMeter {
  ended(statement: Ended & { readonly pool: string }): void
}

/**
 * Opens a pool with Kysely on top. Nothing is connected until the first statement; `close` waits for the statements
 * under way.
 */
export function connect(
  settings: ClientConfig,
  log: Log,
  options: ConnectOptions = {},
): Connection {
  const { work = 'requests', size = POOL, pooled = false, prepare = true } = options
  const pool = openPool(settings, log, { work, size, pooled })
  const measure: Measure = (ended) =>
    options.meter?.ended({ pool: options.reads?.name ?? work, ...ended })
  const own = watchedPool(pool, prepare, measure)
  const { reads } = options
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({
      pool:
        reads === undefined
          ? own
          : withFallback(own, watchedPool(reads.fallback.pool, prepare, measure), () =>
              reads.onLost(),
            ),
      cursor: Cursor,
    }),
  })
  return {
    db,
    pool,
    close: async () => {
      await db.destroy()
      // Where nothing went through Kysely, it takes the pool for unopened, and leaves its connections be.
      if (!pool.ending) await pool.end()
    },
  }
}

/** What is planned though it has no values; to begin and to end a transaction is not. */
const PLANNED = /^\s*(?:select|with|insert|update|delete)\b/i

const isNamed = (text: string, values: readonly unknown[]) =>
  (values.length > 0 || PLANNED.test(text)) && !text.startsWith(CUSTOM_PLAN_MARK)

type Measure = (ended: Ended) => void

/**
 * The pool as Kysely sees it. With `prepare` every query gets a name, with values or without, so that the server parses
 * and plans it once a connection. Each is timed.
 */
function watchedPool(pool: pg.Pool, prepare: boolean, measure: Measure): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect()
      return {
        // Kysely passes a text with values, or a cursor, which goes through as it is.
        query: (text: unknown, values?: readonly unknown[]) => {
          if (typeof text !== 'string')
            return client.query(text as string, values === undefined ? undefined : [...values])
          const query =
            prepare && values !== undefined && isNamed(text, values)
              ? client.query({ name: nameOf(text), text, values: [...values] })
              : client.query(text, values === undefined ? undefined : [...values])
          return timed(query, text, measure)
        },
        release: (destroy?: boolean) => client.release(destroy),
      } as unknown as PostgresPoolClient
    },
  }
}

async function timed<Result>(
  query: Promise<Result>,
  text: string,
  measure: Measure,
): Promise<Result> {
  const beganAt = performance.now()
  const end = (error: unknown) =>
    measure({ name: () => nameOf(text), text, seconds: secondsSince(beganAt), error })
  try {
    const result = await query
    end(null)
    return result
  } catch (error) {
    end(error)
    throw error
  }
}

const secondsSince = (beganAt: number) => (performance.now() - beganAt) / 1000
