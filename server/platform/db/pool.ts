/**
 * The only way to connect to the database. Every wait has a timeout: for a connection, a lock, a statement, and a
 * response over a dead connection. Every connection has an error listener, in use or not, because an unhandled
 * 'error' event ends the process.
 */
import type { Socket } from 'node:net'
import pg, { type ClientConfig } from 'pg'
import { checkSession } from '#server/platform/db/wire.ts'
import type { Log } from '#server/kernel/log.ts'

interface Limits {
  /** statement_timeout in ms; 0 means none. */
  readonly statementMs: number
  /** lock_timeout in ms. */
  readonly lockMs: number
  /** idle_in_transaction_session_timeout in ms: a frozen node must not keep its locks. */
  readonly idleMs: number
}

/**
 * Timeouts by kind of work: people wait for requests, nobody waits for jobs, an audit reads whole tables, and a
 * migration takes as long as it needs.
 */
const LIMITS = {
  requests: { statementMs: 10_000, lockMs: 3_000, idleMs: 15_000 },
  jobs: { statementMs: 60_000, lockMs: 10_000, idleMs: 60_000 },
  audit: { statementMs: 600_000, lockMs: 10_000, idleMs: 60_000 },
  // Queries that return one row, for which a delay is itself a sign of trouble.
  beats: { statementMs: 2_000, lockMs: 1_000, idleMs: 5_000 },
  migrations: { statementMs: 0, lockMs: 0, idleMs: 0 },
} as const satisfies Record<string, Limits>

export type Work = keyof typeof LIMITS

/** Default of `connectMs`. */
const CONNECT_MS = 3000
const IDLE_MS = 60_000
/**
 * TCP keepalive in ms: an idle connection is probed after this, and ten unanswered probes, a second apart, end it.
 */
const KEEP_ALIVE_MS = 4000
/** In ms: how much longer than statement_timeout we wait before the connection counts as dead. */
const GRACE_MS = 2000
/**
 * In ms. For slow statements: after this much silence we ask the server over another connection what the session
 * does.
 */
const CHECK_MS = 2000
/** SQLSTATE of a write to a server that has become a standby. */
const READ_ONLY = '25006'
/**
 * Number of consecutive checks without a sign of life that end the connection: a single one may coincide with a
 * response in transit.
 */
const CHECKS = 2

export interface PoolOptions {
  readonly work: Work
  readonly size: number
  /**
   * The connection goes through a pooler (PgBouncer). Session settings would reach other clients' statements, so
   * the timeouts are then those of the database's role.
   */
  readonly pooled?: boolean
  /** In ms, to get a free connection of the pool or open a new one; 0 waits without end. */
  readonly connectMs?: number
}

interface Silence {
  /** In ms; without a response for this long the connection counts as dead. 0 disables it. */
  readonly silenceMs: number
  /** Also checks the server earlier, over another connection, so that long statements aren't cut off. */
  readonly looks: boolean
}

/** A connection that is closed, with everything that waits for it, when no response comes. */
class BoundedClient extends pg.Client {
  #silence: NodeJS.Timeout | undefined
  #look: NodeJS.Timeout | undefined
  /** The time at which the oldest running statement was sent, or null. */
  #askedAt: number | null = null
  #answeredAt = performance.now()
  readonly #settings: ClientConfig & Silence
  #isBusy = false
  #isRetired = false
  /** Called when the connection is closed, with the time at which the statement was sent. */
  onSilence: (askedAt: number) => void = () => undefined
  /** Called when its server has refused to write. */
  onReadOnly: () => void = () => undefined

  constructor(settings: ClientConfig & Silence) {
    super(settings)
    this.#settings = settings
    // Emitted when no statement is running or queued.
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
   * The same as pg's query, whose overloads define the types. pg's own `query_timeout` fails the statement but
   * leaves the dead connection in the pool.
   */
  override query(...given: unknown[]): never {
    // A cursor's reader may pause between rows.
    const isCursor = typeof given[0] === 'object' && given[0] !== null && 'submit' in given[0]
    if (this.#settings.silenceMs > 0 && !isCursor) this.#listen()
    this.#isBusy = true
    return super.query(...(given as [string])) as never
  }

  /**
   * Closes the connection if it has been silent since `askedAt`, because it is probably as dead as the one that
   * was asked.
   */
  giveUpIfSilentSince(askedAt: number): void {
    if (this.#answeredAt < askedAt) this.#giveUp()
  }

  /** Closes the connection once no statement is running, because its server is no longer the right one. */
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
    this.#lookLater(sentAt, CHECKS)
  }

  #lookLater(askedAt: number, looks: number): void {
    const { bytesRead } = this.#stream
    this.#look = setTimeout(() => void this.#lookNow(askedAt, looks, bytesRead), CHECK_MS)
  }

  async #lookNow(askedAt: number, looks: number, bytesBefore: number): Promise<void> {
    const { processID } = this as { processID?: number | null }
    // Before the session begins, the timeout for connecting applies.
    const found = typeof processID === 'number' && (await checkSession(this.#settings, processID))
    // The response has arrived meanwhile.
    if (this.#askedAt !== askedAt) return
    const isSilent = found === 'silent' && this.#stream.bytesRead === bytesBefore
    if (isSilent && looks === 1) this.#end(askedAt)
    else this.#lookLater(askedAt, isSilent ? looks - 1 : CHECKS)
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

/** Adds the timeout for connecting and keepalive probes. */
function bounded(
  settings: ClientConfig,
  work: Work,
  connectMs = CONNECT_MS,
): ClientConfig & Silence {
  const { statementMs } = LIMITS[work]
  return {
    ...settings,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    silenceMs: statementMs === 0 ? 0 : statementMs + GRACE_MS,
    looks: work === 'jobs' || work === 'audit',
  }
}

export interface BoundedPool extends pg.Pool {
  /**
   * Closes each connection once no statement is running on it: after a failover the address leads to another
   * server, while old connections still lead to the previous one.
   */
  renew(): void
  /**
   * Closes the connections that have been silent since `askedAt` (performance.now()), with everything that waits
   * for them.
   */
  giveUpIfSilentSince(askedAt: number): void
}

/** Connects on demand. If its server refuses to write, renews all connections. */
export function openPool(
  settings: ClientConfig,
  log: Log,
  { work, size, pooled = false, connectMs }: PoolOptions,
): BoundedPool {
  const pool = new pg.Pool({
    ...bounded(settings, work, connectMs),
    max: size,
    idleTimeoutMillis: IDLE_MS,
    // The pool passes the settings above to the client.
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
  // Each connection has its own listener; the pool only repeats the errors of idle ones.
  pool.on('error', () => undefined)
  pool.on('connect', (connected) => {
    const client = connected as unknown as BoundedClient
    clients.add(client)
    logErrors(client, log, () => pool.ending)
    client.onReadOnly = renew
    // Otherwise each request would find out separately, after the same timeout.
    client.onSilence = giveUpIfSilentSince
  })
  pool.on('remove', (client) => clients.delete(client as unknown as BoundedClient))
  return Object.assign(pool, { renew, giveUpIfSilentSince })
}

/** Opens one connection, for work that must stay in one session. @throws when it can't connect */
export async function openClient(settings: ClientConfig, log: Log, work: Work): Promise<pg.Client> {
  const client: pg.Client = new BoundedClient(bounded(settings, work))
  logErrors(client, log, () => false)
  try {
    await client.connect()
    await limit(client, work)
    return client
  } catch (error) {
    client.connection.stream.destroy()
    throw error
  }
}

/** Running statements get the error themselves; here it is logged once. */
function logErrors(client: pg.ClientBase, log: Log, ending: () => boolean): void {
  let isLogged = false
  client.on('error', (error) => {
    // While the pool closes, lost connections are expected.
    if (!isLogged && !ending()) log.warn({ error: error.message }, 'database connection lost')
    isLogged = true
  })
}

/** Uses a statement instead of startup parameters, which poolers refuse. */
async function limit(client: pg.ClientBase, work: Work): Promise<void> {
  const { statementMs, lockMs, idleMs } = LIMITS[work]
  await client.query(
    `set statement_timeout = ${statementMs}; set lock_timeout = ${lockMs}; set idle_in_transaction_session_timeout = ${idleMs}`,
  )
}
