/**
 * One client connection, independent of its transport: from negotiation to the end, and with stateful reconnect
 * over several consecutive sockets. The application interprets the data.
 */
import type { Limits } from '../limits.ts'
import { DroppedError } from '../signals.ts'
import type { Transport, TransportName } from '../transports/transport.ts'
import type { Stay } from './admission.ts'
import { unfoldFacts, type FoldedFacts, type RequestFacts } from './request-facts.ts'

export interface HubUser {
  readonly id: string
  /** Distinguishes sign-ins of one user, for `closeUser`. */
  readonly session?: string | undefined
  /** True for connections that are not sign-ins. Ending all sign-ins of the user leaves them open. */
  readonly lasting?: boolean
  /** Claims of the token, for methods and policies. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** Expiry of the token in ms since 1970. With `closeOnExpiry` the connection ends at that time. */
  readonly expiresAt?: number
}

/** The protocol on a connection. */
export interface Application {
  opened(): void
  /** Returns a promise if reading must pause until it settles. */
  received(piece: Buffer): Promise<void> | undefined
  /** True if the client may resume over another transport. */
  mayResume(): boolean
  /** The transport was lost. Only called if the client may resume. */
  lost(): void
  resumed(): void
  /** Without an error, one side closed deliberately. */
  ended(error: Error | undefined): void
  /** The client has consumed some output. */
  relieved?(): void
  /** Called periodically. `now` is in ms. */
  tick(now: number): void
}

/** Maximum overhead of a transport per frame. */
const FRAME_BYTES = 32

type State = 'waiting' | 'attached' | 'resumable' | 'ended'

export interface ConnectionFacts {
  /** The public id. */
  readonly id: string
  /** The secret that the client sends with each request. */
  readonly token: string
  readonly user: HubUser | null
  readonly stateful: boolean
  readonly stay: Stay
}

/** There is one per client, so its memory use matters. */
export class Connection {
  readonly id: string
  readonly token: string
  readonly user: HubUser | null
  /** True if the client requested stateful reconnect. */
  readonly stateful: boolean
  /** Expiry of the latest request's token, or null if unknown. */
  expiresAt: number | null
  transport: Transport | null = null
  transportName: TransportName | null = null
  state: State = 'waiting'
  readonly #limits: Limits
  readonly #application: Application
  readonly #stay: Stay
  readonly #forget: (connection: Connection) => void
  #request: FoldedFacts | null = null
  #abort: AbortController | undefined
  /** When the current state started. */
  #since = Date.now()
  /** Since when too much output is queued, or 0. */
  #slowSince = 0
  /** The largest frame written since then, because a single message may exceed the limit for several. */
  #largest = 0
  #turn: Promise<unknown> | undefined
  /** Pending turns. */
  #turns = 0
  #written = 0
  /** The amount written at a point in time, until the client has consumed all of it. */
  #owed: { readonly at: number; readonly written: number } | undefined

  constructor(
    facts: ConnectionFacts,
    limits: Limits,
    createApplication: (connection: Connection) => Application,
    forget: (connection: Connection) => void,
  ) {
    this.id = facts.id
    this.token = facts.token
    this.user = facts.user
    this.stateful = facts.stateful
    this.expiresAt = facts.user?.expiresAt ?? null
    this.#limits = limits
    this.#stay = facts.stay
    this.#forget = forget
    this.#application = createApplication(this)
  }

  /** The latest request with a transport. */
  get request(): RequestFacts {
    return unfoldFacts(this.#request)
  }

  /** Aborted when the connection ends. Created on demand, because most connections don't need it. */
  get ended(): AbortSignal {
    this.#abort ??= new AbortController()
    if (this.state === 'ended') this.#abort.abort()
    return this.#abort.signal
  }

  /** Called for further requests of the connection, made by this user. */
  renew(user: HubUser | null): void {
    if (user?.expiresAt !== undefined) this.expiresAt = user.expiresAt
  }

  /** Called when a request has brought a transport. */
  brought(request: FoldedFacts): void {
    this.#request = request
  }

  /** Called when the client has consumed some output. */
  relieved(): void {
    if (this.#slowSince > 0 && this.waiting() <= this.#limits.outputBytes) this.#caughtUp()
    this.#application.relieved?.()
  }

  /** Attaches the client's first transport, or a later one. */
  attach(transport: Transport, request: FoldedFacts): void {
    const isFirst = this.state === 'waiting'
    const old = this.transport
    this.transport = transport
    this.transportName = transport.name
    this.#request = request
    this.#owed = undefined
    this.#enter('attached')
    this.#caughtUp()
    old?.destroy()
    if (isFirst) this.#application.opened()
    else this.#application.resumed()
  }

  /** Processes data in order, even if it arrives in concurrent requests. */
  receive(piece: Buffer): Promise<void> | undefined {
    if (this.state === 'ended') return undefined
    return this.#application.received(piece)
  }

  /** Called for each method call. Null allows it. */
  admitCall(): ReturnType<NonNullable<Stay['call']>> {
    return this.#stay.call?.() ?? null
  }

  /** Requests that are being read or queued. */
  get turns(): number {
    return this.#turns
  }

  /** Runs the work after previous turns, because requests of one connection are read in order. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#turns += 1
    const turn = (this.#turn ?? Promise.resolve()).then(work)
    this.#turn = turn.catch(() => {}).finally(() => (this.#turns -= 1))
    return turn
  }

  write(frame: Buffer, binary: boolean): void {
    const { transport } = this
    if (transport === null || this.state !== 'attached') return
    transport.write(frame, binary)
    this.#written += frame.length + FRAME_BYTES
    const waiting = transport.bufferedBytes()
    if (waiting <= this.#limits.outputBytes) {
      this.#caughtUp()
      return
    }
    this.#largest = Math.max(this.#largest, frame.length)
    if (waiting - this.#largest > this.#limits.mostOutputBytes)
      this.drop(new DroppedError('slow', 'The client reads too slowly.'))
    else if (this.#slowSince === 0) this.#slowSince = Date.now()
  }

  /** A half-open socket may be replaced by the client's new one. */
  mayResume(): boolean {
    return this.#application.mayResume()
  }

  /** Bytes of queued output. */
  waiting(): number {
    return this.transport?.bufferedBytes() ?? 0
  }

  /** Called when the transport is gone. `graceful` means that the client closed it. */
  detach(transport: Transport, graceful: boolean, error?: Error): void {
    if (this.transport !== transport || this.state !== 'attached') return
    this.transport = null
    if (graceful || !this.#application.mayResume()) {
      this.#finish(error)
      return
    }
    this.#application.lost()
    this.#enter('resumable')
  }

  /** Sends the queued output, then ends. */
  end(error?: Error): void {
    this.transport?.end()
    this.#finish(error)
  }

  /** Ends immediately, for a client that doesn't read or respond. */
  drop(error?: Error): void {
    this.transport?.destroy()
    this.#finish(error)
  }

  tick(now: number): void {
    if (this.state === 'waiting' && now - this.#since > this.#limits.attachMs) {
      this.#finish(undefined)
    } else if (this.state === 'resumable' && now - this.#since > this.#limits.resumeMs) {
      this.#finish(new DroppedError('silent', 'The client did not come back.'))
    } else if (this.state === 'attached') {
      // Transports don't report all consumption, so this checks for callers that wait for it.
      if (this.waiting() <= this.#limits.outputBytes) this.relieved()
      const isStuck = this.#slowSince > 0 && now - this.#slowSince > this.#limits.sendMs
      if (this.transport?.isStalled?.(now) === true)
        this.drop(new DroppedError('slow', 'A frame of the client did not end in time.'))
      else if (isStuck || this.#owesTooLong(now))
        this.drop(new DroppedError('slow', 'The client reads too slowly.'))
      else this.#application.tick(now)
    }
  }

  /** True if output queued at some time was not consumed within the limit. */
  #owesTooLong(now: number): boolean {
    const waiting = this.waiting()
    const owed = this.#owed
    if (waiting === 0) this.#owed = undefined
    else if (owed === undefined || waiting <= this.#written - owed.written)
      this.#owed = { at: now, written: this.#written }
    else return now - owed.at > this.#limits.drainMs
    return false
  }

  #caughtUp(): void {
    this.#slowSince = 0
    this.#largest = 0
  }

  #enter(state: State): void {
    this.state = state
    this.#since = Date.now()
  }

  #finish(error: Error | undefined): void {
    if (this.state === 'ended') return
    this.#enter('ended')
    this.#stay.leave()
    this.#forget(this)
    this.#abort?.abort()
    this.#application.ended(error)
  }
}
