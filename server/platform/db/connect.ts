/** A pool of connections with named statements, and Kysely on top. */
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
import { withFallback } from '#server/platform/db/replica/fallback.ts'
import {
  openPool,
  type BoundedPool,
  type PoolOptions,
  type Work,
} from '#server/platform/db/pool.ts'
import type { DB } from '#server/platform/db/types.gen.ts'
import type { Log } from '#server/kernel/log.ts'

export type Db = Kysely<DB>
export type Tx = Transaction<DB>
/** Functions that must join the caller's transaction take `Tx`; others take either. */
export type DbOrTx = Db | Tx

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
/** pg has no name for this type. */
const INT8_ARRAY: number = 1016
// Arrays of ids never contain nulls.
pg.types.setTypeParser(INT8_ARRAY, (text) =>
  text === '{}' ? [] : text.slice(1, -1).split(',').map(Number),
)
// A date stays `YYYY-MM-DD`: a Date would shift it by the process's time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, String)

/**
 * Prefix of a statement whose best plan depends on its values, such as a search. It gets no name, so that each
 * call is planned for its values.
 */
export const CUSTOM_PLAN = sql`/* custom plan */`
const CUSTOM_PLAN_MARK = '/* custom plan */'

/** Statement names by text. There are few texts, because lists are passed as `= any($1)`. */
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
  /** The name of the pool in the metrics. */
  readonly name: string
  /** Stays open when this connection is closed. */
  readonly fallback: Connection
  /** Called when a connection is lost or can't be opened. */
  onLost(): void
}

interface ConnectOptions extends Pick<PoolOptions, 'connectMs'> {
  /** False behind a pooler that loses named statements. */
  readonly prepare?: boolean
  readonly size?: number
  /** Selects the timeouts; those of requests by default. */
  readonly work?: Work
  /** The connection goes through a pooler. */
  readonly pooled?: boolean
  /**
   * For a replica: each statement runs alone, outside transactions, and is sent once more to the fallback if it
   * fails.
   */
  readonly reads?: ReadsOptions
  /** Measures each statement (kernel/metrics/database.ts). */
  readonly meter?: StatementMeter
}

/** Contains the text of a statement, never its values. */
interface Ended {
  readonly name: () => string
  readonly text: string
  readonly seconds: number
  /** Null if the statement succeeded. */
  readonly error: unknown
}

export interface StatementMeter {
  ended(statement: Ended & { readonly pool: string }): void
}

/** Connects with the first statement. `close` waits for running statements. */
export function connect(
  settings: ClientConfig,
  log: Log,
  options: ConnectOptions = {},
): Connection {
  const { work = 'requests', size = POOL, pooled = false, prepare = true } = options
  const pool = openPool(settings, log, { ...options, work, size, pooled })
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
      // If nothing went through Kysely, it treats the pool as unopened and doesn't close its connections.
      if (!pool.ending) await pool.end()
    },
  }
}

/** Statements that are planned even without values, unlike those that begin and end a transaction. */
const PLANNED = /^\s*(?:select|with|insert|update|delete)\b/i

const isNamed = (text: string, values: readonly unknown[]) =>
  (values.length > 0 || PLANNED.test(text)) && !text.startsWith(CUSTOM_PLAN_MARK)

type Measure = (ended: Ended) => void

/**
 * The pool for Kysely. With `prepare` every query gets a name, with or without values, so that the server parses
 * and plans it once per connection. Each query is timed.
 */
function watchedPool(pool: pg.Pool, prepare: boolean, measure: Measure): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect()
      return {
        // Kysely passes either a text with values or a cursor, which is passed on unchanged.
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
