/**
 * One client, whatever carries it: from negotiation to the end, over one transport, and with stateful reconnect
 * over several sockets one after the other. What is said over it is its application's business.
 */
import type { Limits } from '../limits.ts'
import { DroppedError } from '../signals.ts'
import type { Transport, TransportName } from '../transports/transport.ts'
import type { Stay } from './admission.ts'
import { unfoldFacts, type FoldedFacts, type RequestFacts } from './request-facts.ts'

export interface HubUser {
  readonly id: string
  /** Tells sign-ins of one user apart, for `closeUser`. */
  readonly session?: string | undefined
  /** It is no sign-in of a person: what ends all sign-ins of the user leaves it. */
  readonly lasting?: boolean
  /** What its token says, for methods and policies. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** When its token ends, in milliseconds since 1970; with `closeOnExpiry` the connection ends with it. */
  readonly expiresAt?: number
}

/** What is said over a connection. */
export interface Application {
  opened(): void
  /** A promise when no more should be read until it settles. */
  received(piece: Buffer): Promise<void> | undefined
  /** The client may come back over another transport. */
  mayResume(): boolean
  /** The transport is gone; asked only of what may resume. */
  lost(): void
  resumed(): void
  /** Without an error: as one of both wished. */
  ended(error: Error | undefined): void
  /** Some of what was written has been taken. */
  relieved?(): void
  /** From time to time; `now` in milliseconds. */
  tick(now: number): void
}

/** What a transport adds to a frame at most. */
const FRAME_BYTES = 32

type State = 'waiting' | 'attached' | 'resumable' | 'ended'

export interface ConnectionFacts {
  /** What others may know. */
  readonly id: string
  /** What the client shows with each request. */
  readonly token: string
  readonly user: HubUser | null
  readonly stateful: boolean
  readonly stay: Stay
}

/** There is one for each client, so it holds no more than it must. */
export class Connection {
  readonly id: string
  readonly token: string
  readonly user: HubUser | null
  /** The client asked for stateful reconnect. */
  readonly stateful: boolean
  /** When the token of the latest request ends; null: nobody says. */
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
  /** When the present state began. */
  #since = Date.now()
  /** When too much began to wait; 0: it does not. */
  #slowSince = 0
  /** The largest frame written since then: one message may be larger than what may wait of many. */
  #largest = 0
  #turn: Promise<unknown> | undefined
  /** Turns that have not ended. */
  #turns = 0
  #written = 0
  /** What had been written at a moment, as long as the client has not taken all of it. */
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

  /** Of the latest request that brought a transport. */
  get request(): RequestFacts {
    return unfoldFacts(this.#request)
  }

  /** Aborted when it ends. Made when somebody asks, as most never do. */
  get ended(): AbortSignal {
    this.#abort ??= new AbortController()
    if (this.state === 'ended') this.#abort.abort()
    return this.#abort.signal
  }

  /** A request that goes on with it was made by this user. */
  renew(user: HubUser | null): void {
    if (user?.expiresAt !== undefined) this.expiresAt = user.expiresAt
  }

  /** A request brought its transport on. */
  brought(request: FoldedFacts): void {
    this.#request = request
  }

  /** The client has taken some of what was written. */
  relieved(): void {
    if (this.#slowSince > 0 && this.waiting() <= this.#limits.outputBytes) this.#caughtUp()
    this.#application.relieved?.()
  }

  /** The client has come, or come back. */
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

  /** Pieces are handled one after the other, also where they come in requests that overtake each other. */
  receive(piece: Buffer): Promise<void> | undefined {
    if (this.state === 'ended') return undefined
    return this.#application.received(piece)
  }

  /** The client calls a method. Null: it may. */
  admitCall(): ReturnType<NonNullable<Stay['call']>> {
    return this.#stay.call?.() ?? null
  }

  /** Requests that are being read, or wait until those before them have been. */
  get turns(): number {
    return this.#turns
  }

  /** Runs when those before have run: requests of one connection are read one after the other. */
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
    const waiting = transport.waiting()
    if (waiting <= this.#limits.outputBytes) {
      this.#caughtUp()
      return
    }
    this.#largest = Math.max(this.#largest, frame.length)
    if (waiting - this.#largest > this.#limits.mostOutputBytes)
      this.drop(new DroppedError('slow', 'The client reads too slowly.'))
    else if (this.#slowSince === 0) this.#slowSince = Date.now()
  }

  /** A half-open socket may be replaced by the one that comes back for it. */
  mayResume(): boolean {
    return this.#application.mayResume()
  }

  /** Bytes that wait to be taken. */
  waiting(): number {
    return this.transport?.waiting() ?? 0
  }

  /** The transport is gone. `graceful`: the client said goodbye. */
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

  /** Lets what is written go out, then ends. */
  end(error?: Error): void {
    this.transport?.end()
    this.#finish(error)
  }

  /** Ends at once, for a client that doesn't read or doesn't answer. */
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
      // Not all that the client takes is told, but who waits for it is not to wait for long.
      if (this.waiting() <= this.#limits.outputBytes) this.relieved()
      const isStuck = this.#slowSince > 0 && now - this.#slowSince > this.#limits.sendMs
      if (this.transport?.isLate?.(now) === true)
        this.drop(new DroppedError('slow', 'A frame of the client did not end in time.'))
      else if (isStuck || this.#owesTooLong(now))
        this.drop(new DroppedError('slow', 'The client reads too slowly.'))
      else this.#application.tick(now)
    }
  }

  /** What waited at a moment has not been taken long after it. */
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
