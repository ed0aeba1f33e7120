/**
 * The product's end of a connection to the database. It holds each request until the scheduler sends it, and each
 * answer until the scheduler delivers it. Opening the connection is not held.
 */
import { Duplex } from 'node:stream'
import { Session } from './session.ts'
import { createMessageReader, endsRequest, isTermination, type Message } from './wire.ts'

/** The status in ReadyForQuery. */
const IDLE = 'I'.charCodeAt(0)
const IN_TRANSACTION = 'T'.charCodeAt(0)

/** `opening` lasts until the session has its settings. */
type State = 'opening' | 'idle' | 'held' | 'running' | 'answered' | 'closed'

export class WireStream extends Duplex {
  state: State = 'opening'
  request: readonly Message[] = []
  answer: readonly Message[] = []
  readonly node: string
  bytesRead = 0
  /** When work began to use it: at its opening, or with its first request if it was idle. */
  usedSince = 0
  /** True while the work for which it was opened has not sent a request. */
  isNew = true
  // pg calls these.
  readonly setNoDelay = () => this
  readonly setKeepAlive = () => this
  readonly ref = () => this
  readonly unref = () => this
  readonly #onChange: () => number
  readonly #read = createMessageReader()
  /** Sessions whose connections were cut. */
  readonly #spare: Session[]
  #session: Session | undefined
  #pending: Message[] = []
  /** Requests of the opening that are answered. */
  #opened = 0

  /** @param onChange counts the changes */
  constructor(node: string, spare: Session[], onChange: () => number) {
    super()
    this.node = node
    this.#spare = spare
    this.#onChange = onChange
    this.usedSince = onChange()
  }

  connect(place: never, host: never): this {
    const session = this.#spare.pop() ?? new Session(place, host)
    session.onAnswer = (answer) => this.#answered(answer)
    session.onClose = () => this.#close()
    this.#session = session
    process.nextTick(() => this.emit('connect'))
    return this
  }

  /** The process id of the session on the server. */
  get pid(): number {
    return this.#session?.pid ?? 0
  }

  /** True when the last answer leaves a transaction open that hasn't failed. */
  get isInTransaction(): boolean {
    return this.answer.at(-1)?.bytes.at(-1) === IN_TRANSACTION
  }

  /** True when the last answer leaves a transaction open, even a failed one. */
  get needsRollback(): boolean {
    const isOpen = this.state !== 'opening' && this.state !== 'closed'
    return isOpen && this.answer.at(-1)?.bytes.at(-1) !== IDLE
  }

  /** Sends the held request to the server, or another one in its place. */
  send(request = this.request): void {
    this.state = 'running'
    this.#session?.send(request)
  }

  /** Gives the answer to the product. */
  deliver(bytes = Buffer.concat(this.answer.map((message) => message.bytes))): void {
    this.state = 'idle'
    this.#push(bytes)
  }

  /** Ends the connection for the product, as a network or a killed process would. Its transaction must have ended. */
  cut(): void {
    if (this.#session !== undefined && this.state !== 'opening') {
      this.#spare.push(this.#session)
      this.#session = undefined
    }
    this.#close(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    done()
    // The first message of a client has no type.
    if (this.#opened === 0) return this.#open([{ type: '', bytes: chunk }])
    for (const message of this.#read(chunk)) {
      if (isTermination(message)) return this.#close()
      this.#pending.push(message)
      if (!endsRequest(message)) continue
      this.request = this.#pending
      this.#pending = []
      if (this.state === 'opening') this.#open(this.request)
      else this.state = 'held'
      const now = this.#onChange()
      if (!this.isNew) this.usedSince = now
    }
  }

  override _read(): void {
    // Answers are pushed when the scheduler delivers them.
  }

  override _final(done: () => void): void {
    done()
    this.#close()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.state = 'closed'
    this.#session?.end()
    this.#session = undefined
    this.#onChange()
    done(error)
  }

  #open(request: readonly Message[]): void {
    const known = this.#session?.opening[this.#opened]
    if (known === undefined) this.#session?.send(request)
    else process.nextTick(() => this.#answered(known))
  }

  #answered(answer: readonly Message[]): void {
    this.answer = answer
    if (this.state === 'opening') {
      const { opening } = this.#session ?? { opening: [] }
      opening[this.#opened] = answer
      this.#opened += 1
      this.#push(Buffer.concat(answer.map(({ bytes }) => bytes)))
      if (this.#opened === 2) this.state = 'idle'
    } else this.state = 'answered'
    this.#onChange()
  }

  #push(bytes: Buffer): void {
    this.bytesRead += bytes.length
    this.push(bytes)
  }

  #close(error?: Error): void {
    if (this.state === 'closed') return
    this.state = 'closed'
    this.destroy(error)
    this.#onChange()
  }
}
