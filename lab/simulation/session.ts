/**
 * A session on the server. It outlives the product's connection: when that is cut, its transaction is rolled back and
 * the session serves the next connection, because a new one would plan every statement again.
 */
import { Socket } from 'node:net'
import {
  createMessageReader,
  endsAnswer,
  type Message,
  parsedName,
  PARSE_COMPLETE,
} from './wire.ts'

export class Session {
  /** The process id on the server. */
  pid = 0
  /** Answers to what every connection asks first: its start and its settings. */
  readonly opening: (readonly Message[])[] = []
  onAnswer: (answer: readonly Message[]) => void = () => undefined
  onClose: () => void = () => undefined
  readonly #socket = new Socket()
  /** Names of statements that the server has. A new connection sends their texts again, which would be an error. */
  readonly #prepared = new Set<string>()
  #parsing: string | null = null

  /** pg passes a port and a host, or the path of a socket. */
  constructor(place: never, host: never) {
    this.#socket.setNoDelay(true)
    this.#socket.on('error', () => this.onClose())
    this.#socket.on('close', () => this.onClose())
    const read = createMessageReader()
    let answer: Message[] = []
    this.#socket.on('data', (chunk: Buffer) => {
      for (const message of read(chunk)) {
        if (message.type === 'K') this.pid = message.bytes.readUInt32BE(5)
        answer.push(message)
        if (!endsAnswer(message)) continue
        this.#answered(answer)
        answer = []
      }
    })
    this.#socket.connect(place, host)
  }

  send(request: readonly Message[]): void {
    this.#parsing = parsedName(request)
    const isKnown = this.#parsing !== null && this.#prepared.has(this.#parsing)
    const sent = isKnown ? request.filter(({ type }) => type !== 'P') : request
    this.#socket.write(Buffer.concat(sent.map(({ bytes }) => bytes)))
  }

  end(): void {
    this.onAnswer = () => undefined
    this.onClose = () => undefined
    this.#socket.destroy()
  }

  #answered(answer: Message[]): void {
    const name = this.#parsing
    if (name !== null && this.#prepared.has(name)) answer.unshift(PARSE_COMPLETE)
    else if (name !== null && answer.some(({ type }) => type === PARSE_COMPLETE.type))
      this.#prepared.add(name)
    this.onAnswer(answer)
  }
}
