/**
 * The product's end of a connection to the database. It holds each request until the scheduler sends it, and each
 * answer until the scheduler delivers it. Opening the connection is not held.
 */
import { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import {
  createMessageReader,
  encodeQuery,
  endsAnswer,
  endsRequest,
  isTermination,
  type Message,
} from './wire.ts'

/** Our timeouts would end statements by real time. Here the scheduler decides about them. */
const NO_TIMEOUTS =
  "set statement_timeout = 0; set lock_timeout = 0; set deadlock_timeout = '1h'; set synchronous_commit = off"

/** The status in ReadyForQuery. */
const IN_TRANSACTION = 'T'.charCodeAt(0)

/** `opening` lasts until the session has its settings. */
type State = 'opening' | 'idle' | 'held' | 'running' | 'answered' | 'closed'

export class WireStream extends Duplex {
  state: State = 'opening'
  /** The process id of the session on the server. */
  pid = 0
  request: readonly Message[] = []
  answer: readonly Message[] = []
  readonly node: string
  bytesRead = 0
  readonly #server = new Socket()
  /** When work began to use it: at its opening, or with its first request if it was idle. */
  usedSince = 0
  /** True while the work for which it was opened has not sent a request. */
  isNew = true
  readonly #onChange: () => number
  readonly #read = createMessageReader()
  #pending: Message[] = []
  #hasStarted = false

  /** @param onChange counts the changes */
  constructor(node: string, onChange: () => number) {
    super()
    this.node = node
    this.#onChange = onChange
    this.usedSince = onChange()
    this.#server.setNoDelay(true)
    this.#server.on('connect', () => this.emit('connect'))
    this.#server.on('error', () => this.#close())
    this.#server.on('close', () => this.#close())
    const read = createMessageReader()
    let sent: Message[] = []
    this.#server.on('data', (chunk: Buffer) => {
      for (const message of read(chunk)) {
        if (message.type === 'K') this.pid = message.bytes.readUInt32BE(5)
        sent.push(message)
        if (!this.#hasStarted) {
          this.#pass(sent)
          if (endsAnswer(message)) this.#hasStarted = true
          sent = []
        } else if (endsAnswer(message)) {
          this.#answered(sent)
          sent = []
        }
      }
    })
  }

  /** pg passes a port and a host, or the path of a socket. */
  connect(place: never, host: never): this {
    this.#server.connect(place, host)
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  /** True when the last answer leaves a transaction open that hasn't failed. */
  get isInTransaction(): boolean {
    return this.answer.at(-1)?.bytes.at(-1) === IN_TRANSACTION
  }

  /** Sends the held request to the server, or other bytes in its place. */
  send(bytes = Buffer.concat(this.request.map((message) => message.bytes))): void {
    this.state = 'running'
    this.#server.write(bytes)
  }

  /** Gives the answer to the product. */
  deliver(bytes = Buffer.concat(this.answer.map((message) => message.bytes))): void {
    this.state = 'idle'
    this.#push(bytes)
  }

  /** Stops passing on what happens to the session. */
  detach(): void {
    this.#server.removeAllListeners()
    this.#server.on('error', () => undefined)
  }

  /** Ends the connection for both sides, as a network or a killed process would. */
  cut(): void {
    this.#server.destroy()
    this.#close(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    done()
    if (!this.#hasStarted) {
      this.#server.write(chunk)
      return
    }
    for (const message of this.#read(chunk)) {
      if (isTermination(message)) {
        this.#server.end(message.bytes)
        return
      }
      this.#pending.push(message)
      if (!endsRequest(message)) continue
      this.request = this.#pending
      this.#pending = []
      if (this.state === 'opening') this.#server.write(encodeQuery(NO_TIMEOUTS))
      else this.state = 'held'
      const now = this.#onChange()
      if (!this.isNew) this.usedSince = now
    }
  }

  override _read(): void {
    // Answers are pushed when the scheduler delivers them.
  }

  override _final(done: () => void): void {
    this.#server.end()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.state = 'closed'
    this.#server.destroy()
    this.#onChange()
    done(error)
  }

  #answered(answer: readonly Message[]): void {
    this.answer = answer
    if (this.state === 'opening') this.deliver()
    else this.state = 'answered'
    this.#onChange()
  }

  #pass(messages: readonly Message[]): void {
    this.#push(Buffer.concat(messages.map(({ bytes }) => bytes)))
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
