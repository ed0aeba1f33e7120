/** Mail servers for tests: a real one that stores mails, and a raw TCP server that follows a script. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface Caught {
  /** The envelope's recipients, independent of the headers. */
  readonly to: readonly string[]
  readonly raw: string
}

export interface TestSmtp {
  readonly url: string
  readonly port: number
  readonly mails: Caught[]
  close(): Promise<void>
}

/** Port 0 uses any free one. */
export async function openSmtp(options: SMTPServerOptions = {}, port = 0): Promise<TestSmtp> {
  const mails: Caught[] = []
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    disableReverseLookup: true,
    logger: false,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        mails.push({ to, raw: Buffer.concat(chunks).toString() })
        done()
      })
    },
    ...options,
  })
  // A client that doesn't trust the certificate ends the connection, which its test expects.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  const given = portOf(server.server)
  return {
    url: `smtp://127.0.0.1:${given}`,
    port: given,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

const portOf = (server: Pick<Server, 'address'>) => (server.address() as AddressInfo).port

export interface BareSmtp {
  readonly url: string
  /** Mails that were received completely, up to the dot. */
  readonly mails: string[]
  close(): Promise<void>
}

/**
 * Behaves correctly unless `fault` intervenes: it is called before each reply with the input (`greeting`, a
 * command, or `.` at the end of a mail), and returns true if it handled it, for example by not replying.
 */
export async function openBareSmtp(
  fault: (heard: string, socket: Socket) => boolean,
): Promise<BareSmtp> {
  const mails: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    let mail: string | null = null
    let partial = ''
    const answer = (heard: string, words: string) => {
      if (!fault(heard, socket)) socket.write(`${words}\r\n`)
    }
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => {
      const lines = (partial + chunk.toString()).split('\r\n')
      partial = lines.pop() ?? ''
      for (const line of lines) {
        if (mail !== null && line === '.') {
          mails.push(mail)
          mail = null
          answer('.', '250 taken')
        } else if (mail !== null) mail += `${line}\r\n`
        else if (/^DATA/i.test(line)) {
          mail = ''
          answer(line, '354 go on')
        } else answer(line, '250 fine')
      }
    })
    answer('greeting', '220 bare')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${portOf(server)}`,
    mails,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

export interface ReadMail {
  /** Unfolded and decoded, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Decoded bodies by content type. */
  readonly parts: Readonly<Record<string, string>>
}

/** Parses a mail as a mail program does. */
export function readMail(raw: string): ReadMail {
  const { headers, body } = splitPart(raw)
  const type = headers['content-type'] ?? 'text/plain'
  const boundary = /boundary="?([^";]+)/.exec(type)?.[1]
  if (boundary === undefined)
    return { headers, parts: { [nameOf(type)]: decodeBody(headers, body) } }
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => splitPart(part.slice(2)))
  return {
    headers,
    parts: Object.fromEntries(
      parts.map((part) => [
        nameOf(part.headers['content-type'] ?? ''),
        decodeBody(part.headers, part.body),
      ]),
    ),
  }
}

const nameOf = (type: string) => type.split(';')[0]?.trim() ?? ''

function splitPart(raw: string) {
  const cut = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, cut)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())]
    }),
  )
  return { headers, body: raw.slice(cut + 4) }
}

/** Decodes the encoded words of RFC 2047. */
function decodeWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, coded: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(coded, 'base64').toString()
        : decodeQuoted(coded.replaceAll('_', ' ')),
    )
}

function decodeQuoted(coded: string): string {
  const bytes = coded
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number(`0x${hex}`)))
  return Buffer.from(bytes, 'latin1').toString()
}

function decodeBody(headers: Readonly<Record<string, string>>, body: string): string {
  const coding = headers['content-transfer-encoding'] ?? '7bit'
  const decoded =
    coding === 'base64'
      ? Buffer.from(body, 'base64').toString()
      : coding === 'quoted-printable'
        ? decodeQuoted(body)
        : body
  return decoded.replaceAll('\r\n', '\n')
}
