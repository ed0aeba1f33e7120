/** Finds the database (DATABASE_URL or the embedded server) and checks that it is usable. */
import type pg from 'pg'
import type { Client, ClientConfig } from 'pg'
import { startEmbedded } from '#server/platform/db/embedded/embedded.ts'
import { probePooler } from '#server/platform/db/pooler.ts'
import { openClient } from '#server/platform/db/pool.ts'
import { createLog } from '#server/kernel/log.ts'

/** Its message says what the database lacks. */
export class DatabaseError extends Error {}

export interface Database {
  readonly connection: ClientConfig
  /** For migrations, bypassing a pooler. */
  readonly direct: ClientConfig
  /** For reads that may be a second old; null without a replica. */
  readonly replica: ClientConfig | null
  readonly embedded: boolean
  /** `connection` goes through a pooler, and `direct` doesn't. */
  readonly pooled: boolean
  /** The process that already serves the embedded database; null when it is ours. */
  readonly usedBy: number | null
  stop(): Promise<void>
  /**
   * Call it instead of `stop` when the start failed: also removes an embedded database that was created for it.
   */
  discard(): Promise<void>
}

/**
 * Opens the configured database, or starts the embedded one, and checks that it is usable. `say` prints lines for
 * the operator while an embedded one makes the start wait.
 * @throws DatabaseError, EmbeddedFailure
 */
export async function openDatabase(
  config: {
    DATABASE_URL: string | undefined
    DATABASE_DIRECT_URL: string | undefined
    DATABASE_REPLICA_URL: string | undefined
    DATABASE_PREPARE: '0' | '1'
    DATA_DIR: string
  },
  log: (line: string) => void,
  say: (line: string) => void = () => {},
): Promise<Database> {
  if (config.DATABASE_URL === undefined) {
    const server = await startEmbedded({ dataDir: config.DATA_DIR, log, say })
    return {
      connection: server.connection,
      direct: server.connection,
      replica: null,
      embedded: true,
      pooled: false,
      usedBy: server.owned ? null : server.owner,
      stop: () => server.stop(),
      discard: () => server.discard(),
    }
  }
  const connection = { connectionString: config.DATABASE_URL }
  const direct = { connectionString: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL }
  await checkServer(direct)
  await checkPooler({ connection, direct, prepare: config.DATABASE_PREPARE === '1' })
  const pooled = config.DATABASE_PREPARE === '0' || direct.connectionString !== config.DATABASE_URL
  const replica =
    config.DATABASE_REPLICA_URL === undefined
      ? null
      : { connectionString: config.DATABASE_REPLICA_URL }
  return {
    connection,
    direct,
    replica,
    embedded: false,
    pooled,
    usedBy: null,
    stop: async () => {},
    discard: async () => {},
  }
}

export const STANDBY =
  'DATABASE_URL leads to a PostgreSQL server that takes no writes, because it follows another one (a standby). Let it lead to the primary, or to a balancer that knows which server that is.'

/** Returns true for a standby, which takes no writes. @throws errors of the database */
export async function isStandby(from: Pick<pg.Pool, 'query'>): Promise<boolean> {
  const { rows } = await from.query<{ follows: boolean }>('select pg_is_in_recovery() as follows')
  return rows[0]?.follows === true
}

const MIXES =
  'leads through a pooler in transaction mode (PgBouncer), where migrations, jobs and locks, which need a session of their own, fail. Set DATABASE_DIRECT_URL to the PostgreSQL server itself, past the pooler.'
const LOSES =
  'The pooler of DATABASE_URL loses prepared statements: PgBouncer in transaction mode does before 1.21, and later with max_prepared_statements = 0. Set DATABASE_PREPARE=0 (and DATABASE_DIRECT_URL to the PostgreSQL server itself), or let a newer PgBouncer keep them.'

interface Connections {
  readonly connection: ClientConfig
  readonly direct: ClientConfig
  /** Statements are named. */
  readonly prepare: boolean
}

/** Refuses poolers that lose what the settings rely on. @throws DatabaseError */
async function checkPooler({ connection, direct, prepare }: Connections): Promise<void> {
  const isOne = connection.connectionString === direct.connectionString
  const ofDirect = await probePooler(direct)
  const { losesNames } = isOne || !prepare ? ofDirect : await probePooler(connection)
  if (prepare && losesNames) throw new DatabaseError(LOSES)
  if (ofDirect.mixesSessions)
    throw new DatabaseError(`${isOne ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'} ${MIXES}`)
}

/**
 * Refuses standbys, servers before version 15 and databases whose locale can't index Cyrillic. @throws
 * DatabaseError
 */
async function checkServer(settings: ClientConfig): Promise<void> {
  let client: Client
  try {
    // Its log would repeat what it throws.
    client = await openClient(settings, createLog('silent'), 'requests')
  } catch (error) {
    throw new DatabaseError(
      `The database of DATABASE_URL can't be reached: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    )
  }
  try {
    const version = await client.query<{ version: string }>(
      'select current_setting($1)::int as version',
      ['server_version_num'],
    )
    if (Number(version.rows[0]?.version) < 150_000)
      throw new DatabaseError('PostgreSQL 15 or newer is needed.')
    if (await isStandby(client)) throw new DatabaseError(STANDBY)
    await client.query('create extension if not exists pg_trgm')
    const { rows } = await client.query<{ grams: number }>(
      `select cardinality(show_trgm('ж')) as grams`,
    )
    if (Number(rows[0]?.grams ?? 0) === 0) {
      throw new DatabaseError(
        'This database cannot index Cyrillic: its lc_ctype is C. Make one with a UTF-8 locale, for example: create database bazaar template template0 locale "C.UTF-8"',
      )
    }
  } finally {
    await client.end()
  }
}
