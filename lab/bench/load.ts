/**
 * Generates load in its own process: keep-alive connections that send requests one after the other and check every
 * answer. It uses plain sockets, because a generator that costs more than the server measures itself: autocannon
 * sends 13,000 requests per second while node:http with a fixed buffer uses only 37 % of its core.
 */
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliDecompressSync } from 'node:zlib'

export interface Load {
  readonly port: number
  readonly seconds: number
  readonly connections: number
  /** Defaults to GET. */
  readonly method?: string
  /** Sent with every request. */
  readonly body?: string
  /** Request `n` uses path `n` modulo their number. Authorizations are chosen in the same way. */
  readonly paths: readonly string[]
  readonly authorizations?: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** Number of the first request. */
  readonly from: number
  readonly expect: {
    readonly status: number
    /** Minimum size of the body. */
    readonly bytes: number
    /** Text in every body. Of compressed bodies, every hundredth is checked. */
    readonly field: string
  }
}

export interface LoadResult {
  readonly answers: number
  readonly seconds: number
  readonly wrong: number
  /** Why the first wrong answer was wrong. */
  readonly firstWrong: string
}

const HEAD_END = Buffer.from('\r\n\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

interface Answer {
  readonly head: string
  readonly body: Buffer
}

/** Returns a complete answer, or null while parts are missing. */
function readAnswer(bytes: Buffer): Answer | null {
  const end = bytes.indexOf(HEAD_END)
  if (end < 0) return null
  const head = bytes.toString('latin1', 0, end)
  const body = bytes.subarray(end + 4)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined) return body.length >= Number(length) ? { head, body } : null
  if (/\r\ntransfer-encoding: chunked/i.test(head)) {
    return body.subarray(-5).equals(LAST_CHUNK) ? { head, body } : null
  }
  return { head, body }
}

function judge(answer: Answer, expect: Load['expect'], isSample: boolean): string {
  const { head, body } = answer
  if (!head.startsWith(`HTTP/1.1 ${expect.status}`))
    return `${head.slice(0, 40)} ${body.toString().slice(0, 200)}`
  if (body.length < expect.bytes) return `${body.length} bytes instead of ${expect.bytes}`
  const isCompressed = /\r\ncontent-encoding: br/i.test(head)
  if (isCompressed && !isSample) return ''
  if (isCompressed && /chunked/i.test(head)) return ''
  const plain = isCompressed ? brotliDecompressSync(body) : body
  return plain.includes(expect.field) ? '' : `no ${expect.field} in the answer`
}

async function send(load: Load): Promise<LoadResult> {
  const { paths, method = 'GET', body = '', authorizations = [], expect } = load
  const common = Object.entries({
    host: `localhost:${load.port}`,
    connection: 'keep-alive',
    ...load.headers,
  })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  const end =
    method === 'GET' ? '\r\n' : `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  let next = load.from
  let answers = 0
  let wrong = 0
  let firstWrong = ''
  const request = () => {
    const path = paths[next % paths.length] ?? '/'
    const authorization = authorizations[next % authorizations.length]
    next += 1
    const right = authorization === undefined ? '' : `authorization: ${authorization}\r\n`
    return `${method} ${path} HTTP/1.1\r\n${common}${right}${end}`
  }
  const begin = performance.now()
  const askOnAndOn = (socket: Socket) =>
    new Promise<void>((resolve) => {
      let parts: Buffer | null = null
      socket.on('data', (part: Buffer) => {
        const held: Buffer = parts === null ? part : Buffer.concat([parts, part])
        const answer = readAnswer(held)
        parts = answer === null ? held : null
        if (answer === null) return
        answers += 1
        const problem = judge(answer, expect, answers % 100 === 1)
        if (problem !== '') {
          wrong += 1
          if (firstWrong === '') firstWrong = problem
        }
        if (performance.now() < begin + load.seconds * 1000) socket.write(request())
        else socket.end()
      })
      socket.on('error', (error) => {
        wrong += 1
        if (firstWrong === '') firstWrong = error.message
      })
      socket.on('close', () => resolve())
      socket.write(request())
    })
  await Promise.all(
    Array.from({ length: load.connections }, () =>
      askOnAndOn(connect(load.port, '127.0.0.1').setNoDelay(true)),
    ),
  )
  return { answers, seconds: (performance.now() - begin) / 1000, wrong, firstWrong }
}

const job: Load = JSON.parse(await text(process.stdin))
process.stdout.write(JSON.stringify(await send(job)))
