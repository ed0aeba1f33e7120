/**
 * The one way to the database. Every wait has an end: for a connection, for a lock, for a statement, and for an answer
 * over a wire that passes nothing any more. Every connection has a listener for its errors, in use or not: an error
 * that nobody listens for ends the process.
 */
import type { Socket } from 'node:net'
import pg, { type ClientConfig } from 'pg'
import { lookAfter } from '#server/db/wire.ts'
import type { Log } from '#server/kernel/log.ts'

interface Limits {
  /** The server gives a statement up after so many milliseconds; 0: never. */
  readonly statementMs: number
  /** And a wait for a lock. */
  readonly lockMs: number
  /** And a transaction in which nothing is said: a node that froze must not keep its locks. */
  readonly idleMs: number
}

/**
 * Who works: people wait for requests, nobody waits for jobs, an audit reads whole tables, and a migration takes as long
 * as it takes.
 */
const LIMITS = {
  requests: { statementMs: 10_000, lockMs: 3_000, idleMs: 15_000 },
  jobs: { statementMs: 60_000, lockMs: 10_000, idleMs: 60_000 },
  audit: { statementMs: 600_000, lockMs: 10_000, idleMs: 60_000 },
  // Answers of a line, whose lateness says something.
  beats: { statementMs: 2_000, lockMs: 1_000, idleMs: 5_000 },
  migrations: { statementMs: 0, lockMs: 0, idleMs: 0 },
} as const satisfies Record<string, Limits>

export type Work = keyof typeof LIMITS

/** For a connection: a free one of the pool, or a new one. */
const CONNECT_MS = 3000
const IDLE_MS = 60_000
/** An idle wire is asked whether it lives; ten questions without an answer, a second apart, end it. */
const KEEP_ALIVE_MS = 4000
/** How much longer than the server we wait for an answer before the wire is taken for dead. */
const GRACE_MS = 2000
/** Where a statement may take long: silence after which the server is asked over another connection what it does. */
const LOOK_MS = 2000
/** SQLSTATE of what can't be done because the server takes no writes: it follows another one now. */
const READ_ONLY = '25006'
/** So many looks that find nothing end the connection: one may fall into a moment in which the answer is on its way. */
const LOOKS = 2

export interface PoolOptions {
  readonly work: Work
  readonly size: number
  /**
   * A pooler stands between (PgBouncer): a setting of the session would reach others' statements, so the server's
   * limits are then those of the database's role.
   */
  readonly pooled?: boolean
}

interface Silence {
  /** After so many milliseconds without an answer the wire is taken for dead; 0: never. */
  readonly silenceMs: number
  /** It may be dead earlier: the server is asked, so that long statements are left alone. */
  readonly looks: boolean
}

/** A connection that is given up when no answer comes, with all that wait for it. */
class BoundedClient extends pg.Client {
  #silence: NodeJS.Timeout | undefined
  #look: NodeJS.Timeout | undefined
  /** When the oldest statement under way was sent; null: none is. */
  #askedAt: number | null = null
  #answeredAt = performance.now()
  readonly #settings: ClientConfig & Silence
  #isBusy = false
  #isRetired = false
  /** Called when it was given up, with the time at which the question was asked. */
  onSilence: (askedAt: number) => void = () => undefined
  /** Called when its server has refused to write. */
  onReadOnly: () => void = () => undefined

  constructor(settings: ClientConfig & Silence) {
    super(settings)
    this.#settings = settings
    // Emitted when no statement is under way or waits.
    this.on('drain', () => {
      this.#stopWaiting()
      this.#answeredAt = performance.now()
      this.#isBusy = false
      if (this.#isRetired) this.#leave()
    })
    this.connection.on('errorMessage', ({ code }: { readonly code?: string }) => {
      if (code === READ_ONLY) this.onReadOnly()
    })
    this.on('end', () => this.#stopWaiting())
  }

  /**
   * As pg's, whose overloads say what goes in and out. Its own `query_timeout` fails the statement and leaves the dead
   * connection in the pool for the next one.
   */
  override query(...given: unknown[]): never {
    // What reads a cursor takes its time between the rows.
    const isCursor = typeof given[0] === 'object' && given[0] !== null && 'submit' in given[0]
    if (this.#settings.silenceMs > 0 && !isCursor) this.#listen()
    this.#isBusy = true
    return super.query(...(given as [string])) as never
  }

  /** Ends it without a goodbye when nothing was heard since `askedAt`: its wire is as dead as the one that was asked. */
  giveUpIfSilentSince(askedAt: number): void {
    if (this.#answeredAt < askedAt) this.#giveUp()
  }

  /** Ends it when no statement is under way any more: its server is not the one to talk to. */
  retire(): void {
    this.#isRetired = true
    if (!this.#isBusy) this.#leave()
  }

  #leave(): void {
    const left = new Error('the database server takes no writes any more')
    this.connection.stream.destroy(Object.assign(left, { code: READ_ONLY }))
  }

  #listen(): void {
    const { silenceMs, looks } = this.#settings
    clearTimeout(this.#silence)
    const sentAt = performance.now()
    this.#silence = setTimeout(() => this.#end(sentAt), silenceMs)
    if (!looks || this.#askedAt !== null) return
    this.#askedAt = sentAt
    this.#lookLater(sentAt, LOOKS)
  }

  #lookLater(askedAt: number, looks: number): void {
    const { bytesRead } = this.#stream
    this.#look = setTimeout(() => void this.#lookNow(askedAt, looks, bytesRead), LOOK_MS)
  }

  async #lookNow(askedAt: number, looks: number, bytesBefore: number): Promise<void> {
    const { processID } = this as { processID?: number | null }
    // Before the session begins, the wait for the connection has its own end.
    const found = typeof processID === 'number' && (await lookAfter(this.#settings, processID))
    // Answered meanwhile.
    if (this.#askedAt !== askedAt) return
    const isSilent = found === 'silent' && this.#stream.bytesRead === bytesBefore
    if (isSilent && looks === 1) this.#end(askedAt)
    else this.#lookLater(askedAt, isSilent ? looks - 1 : LOOKS)
  }

  get #stream(): Socket {
    return this.connection.stream as Socket
  }

  #stopWaiting(): void {
    clearTimeout(this.#silence)
    clearTimeout(this.#look)
    this.#askedAt = null
  }

  #end(askedAt: number): void {
    this.#giveUp()
    this.onSilence(askedAt)
  }

  #giveUp(): void {
    this.#stopWaiting()
    const gone = new Error('the database did not answer in time')
    this.connection.stream.destroy(Object.assign(gone, { code: 'ETIMEDOUT' }))
  }
}

/** What every connection begins with: an end to waiting for it, and questions to an idle wire. */
function bounded(settings: ClientConfig, work: Work): ClientConfig & Silence {
  const { statementMs } = LIMITS[work]
  return {
    ...settings,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    silenceMs: statementMs === 0 ? 0 : statementMs + GRACE_MS,
    looks: work === 'jobs' || work === 'audit',
  }
}

export interface BoundedPool extends pg.Pool {
  /**
   * Ends every connection once no statement is under way on it, so that the next one is a new one: after a fail-over
   * the address leads to another server, and an old connection still to the one before.
   */
  renew(): void
  /** Ends the connections that have said nothing since `askedAt` (performance.now()), with what waits for them. */
  giveUpIfSilentSince(askedAt: number): void
}

/** Opens a pool; it connects when it is asked to. When its server refuses to write, all its connections are renewed. */
export function openPool(
  settings: ClientConfig,
  log: Log,
  { work, size, pooled = false }: PoolOptions,
): BoundedPool {
  const pool = new pg.Pool({
    ...bounded(settings, work),
    max: size,
    idleTimeoutMillis: IDLE_MS,
    // The pool gives it the settings above.
    Client: BoundedClient as unknown as new () => pg.ClientBase,
    ...(!pooled && { onConnect: (client: pg.ClientBase) => limit(client, work) }),
  })
  const clients = new Set<BoundedClient>()
  const renew = () => {
    for (const client of clients) client.retire()
  }
  const giveUpIfSilentSince = (askedAt: number) => {
    for (const client of clients) client.giveUpIfSilentSince(askedAt)
  }
  // Each connection has its own listener; the pool repeats what an idle one says.
  pool.on('error', () => undefined)
  pool.on('connect', (connected) => {
    const client = connected as unknown as BoundedClient
    clients.add(client)
    hearErrors(client, log, () => pool.ending)
    client.onReadOnly = renew
    // One request after the other would find out for itself, each in that time.
    client.onSilence = giveUpIfSilentSince
  })
  pool.on('remove', (client) => clients.delete(client as unknown as BoundedClient))
  return Object.assign(pool, { renew, giveUpIfSilentSince })
}

/** Opens one connection, for what must stay in one session. @throws when it can't be had */
export async function openClient(settings: ClientConfig, log: Log, work: Work): Promise<pg.Client> {
  const client: pg.Client = new BoundedClient(bounded(settings, work))
  hearErrors(client, log, () => false)
  try {
    await client.connect()
    await limit(client, work)
    return client
  } catch (error) {
    client.connection.stream.destroy()
    throw error
  }
}

/** Statements that are under way hear of it themselves; here it is logged once. */
function hearErrors(client: pg.ClientBase, log: Log, ending: () => boolean): void {
  let isLogged = false
  client.on('error', (error) => {
    // Of connections that are closing at the end nobody needs to hear.
    if (!isLogged && !ending()) log.warn({ error: error.message }, 'database connection lost')
    isLogged = true
  })
}

/** By a statement and not by parameters of the start, which poolers refuse. */
async function limit(client: pg.ClientBase, work: Work): Promise<void> {
  const { statementMs, lockMs, idleMs } = LIMITS[work]
  await client.query(
    `set statement_timeout = ${statementMs}; set lock_timeout = ${lockMs}; set idle_in_transaction_session_timeout = ${idleMs}`,
  )
}
