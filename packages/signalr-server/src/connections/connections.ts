/** All connections of a node by token, and the timer that checks them. */
import { randomBytes } from 'node:crypto'
import type { Stay } from './admission.ts'
import { Connection, type Application, type HubUser } from './connection.ts'
import type { ConnectionTokens } from './connection-token.ts'
import type { Limits } from '../limits.ts'

const TICK_MS = 1000
const LATE_MS = 3000
const ID_BYTES = 16

export class Connections {
  readonly #byToken = new Map<string, Connection>()
  readonly #tokens: ConnectionTokens
  readonly #limits: Limits
  readonly #createApplication: (connection: Connection) => Application
  readonly #timer: NodeJS.Timeout
  #ticked: number

  constructor(
    tokens: ConnectionTokens,
    limits: Limits,
    createApplication: (connection: Connection) => Application,
  ) {
    this.#tokens = tokens
    this.#limits = limits
    this.#createApplication = createApplication
    this.#ticked = Date.now()
    const shortest = Math.min(limits.keepAliveMs, limits.handshakeMs, limits.attachMs, limits.ackMs)
    this.#timer = setInterval(() => this.#tick(), Math.min(TICK_MS, shortest / 2))
    this.#timer.unref()
  }

  get size(): number {
    return this.#byToken.size
  }

  open(user: HubUser | null, stateful: boolean, stay: Stay): Connection {
    const token = this.#tokens.create()
    const id = randomBytes(ID_BYTES).toString('base64url')
    const connection = new Connection(
      { id, token, user, stateful, stay },
      this.#limits,
      this.#createApplication,
      this.#forget,
    )
    this.#byToken.set(token, connection)
    return connection
  }

  find(token: string): Connection | undefined {
    return this.#byToken.get(token)
  }

  all(): Iterable<Connection> {
    return this.#byToken.values()
  }

  /** Removes an ended connection, which a poll could still request. */
  remove(connection: Connection): void {
    this.#byToken.delete(connection.token)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** A single function shared by all. */
  readonly #forget = (connection: Connection): void => {
    if (connection.transportName !== 'LongPolling') {
      this.remove(connection)
      return
    }
    // The next poll still gets the last messages and the end.
    setTimeout(() => this.remove(connection), this.#limits.pollGapMs).unref()
  }

  #tick(): void {
    const now = Date.now()
    const isLate = now - this.#ticked > LATE_MS
    this.#ticked = now
    // After a delay of the timer (a busy or suspended process), data from clients must be read before any is
    // considered silent.
    if (isLate) return
    for (const connection of this.#byToken.values()) connection.tick(now)
  }
}
