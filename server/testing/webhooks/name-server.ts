/** A DNS server over UDP that answers IPv4 queries from a script. */
import { createSocket } from 'node:dgram'

export interface NameServer {
  /** For `Resolver.setServers`. */
  readonly address: string
  /** Number of IPv4 queries so far. */
  asked: number
  close(): Promise<void>
}

const TYPE_A = 1
const HEADER_BYTES = 12
const [ANSWER_FLAGS, QUESTION_COUNT, ANSWER_COUNT] = [2, 4, 6]

/** `answers` has the addresses for the first query, the second, and so on. Other query types get no answer. */
export async function startNameServer(
  answerOf: (question: number) => readonly string[],
): Promise<NameServer> {
  const socket = createSocket('udp4')
  const server: NameServer = {
    address: '',
    asked: 0,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
  socket.on('message', (message, from) => {
    let end = HEADER_BYTES
    while ((message[end] ?? 0) !== 0) end += 1 + (message[end] ?? 0)
    const type = message.readUInt16BE(end + 1)
    const question = message.subarray(HEADER_BYTES, end + 5)
    const found = type === TYPE_A ? answerOf(server.asked++) : []
    const head = Buffer.from(message.subarray(0, HEADER_BYTES))
    head.writeUInt16BE(0x8180, ANSWER_FLAGS)
    head.writeUInt16BE(1, QUESTION_COUNT)
    head.writeUInt16BE(found.length, ANSWER_COUNT)
    head.fill(0, ANSWER_COUNT + 2)
    const answers = found.map((address) =>
      // Pointer to the queried name, type A, class IN, TTL 0, length 4.
      Buffer.from([
        0xc0,
        HEADER_BYTES,
        0,
        TYPE_A,
        0,
        1,
        0,
        0,
        0,
        0,
        0,
        4,
        ...address.split('.').map(Number),
      ]),
    )
    socket.send(Buffer.concat([head, question, ...answers]), from.port, from.address)
  })
  await new Promise<void>((resolve) => void socket.bind(0, '127.0.0.1', resolve))
  return Object.assign(server, { address: `127.0.0.1:${socket.address().port}` })
}
