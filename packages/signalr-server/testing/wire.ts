/** A raw WebSocket to a hub with JSON records, for what the official client can't do. */
import { WebSocket } from 'ws'

const END = '\u001e'
export const JSON_HELLO = `{"protocol":"json","version":1}${END}`

export interface Wire {
  readonly socket: WebSocket
  readonly records: string[]
  /** The close code. */
  readonly closed: Promise<number>
  /** Resolves with the next record. */
  next(): Promise<unknown>
}

/**
 * Opens a socket and sends the handshake unless the hello is null.
 * @throws when a frame contains incomplete records
 */
export async function openWire(url: string, hello: string | null = JSON_HELLO): Promise<Wire> {
  const socket = new WebSocket(url.replace('http', 'ws'))
  const records: string[] = []
  const waiting: ((record: string) => void)[] = []
  socket.on('message', (data: Buffer) => {
    const text = data.toString('utf8')
    if (!text.endsWith(END)) throw new Error(`a frame of half a record: ${text}`)
    for (const record of text.split(END).slice(0, -1)) {
      const waits = waiting.shift()
      if (waits === undefined) records.push(record)
      else waits(record)
    }
  })
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  await new Promise((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('error', reject)
  })
  const next = async () => {
    const record =
      records.shift() ?? (await new Promise<string>((resolve) => waiting.push(resolve)))
    return JSON.parse(record) as unknown
  }
  const wire = { socket, records, closed, next }
  if (hello !== null) {
    socket.send(hello)
    const answer = JSON.stringify(await next())
    if (answer !== '{}') throw new Error(`the handshake was answered ${answer}`)
  }
  return wire
}

/** Sends all messages in one frame. */
export const say = ({ socket }: Wire, ...messages: unknown[]): void =>
  socket.send(messages.map((message) => JSON.stringify(message) + END).join(''))
