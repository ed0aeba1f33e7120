/**
 * Messages of the PostgreSQL protocol: a type, a length and a body. The first message of a client has no type.
 * See https://www.postgresql.org/docs/current/protocol-message-formats.html.
 */
interface Message {
  readonly type: string
  readonly bytes: Buffer
}

const HEADER = 5
/** Characters of a statement in a story. */
const LEGIBLE = 90

/** Collects bytes and returns the complete messages. */
export function createMessageReader(): (chunk: Buffer) => Message[] {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    const messages: Message[] = []
    while (rest.length >= HEADER) {
      const end = 1 + rest.readUInt32BE(1)
      if (rest.length < end) break
      messages.push({ type: String.fromCharCode(rest[0] ?? 0), bytes: rest.subarray(0, end) })
      rest = rest.subarray(end)
    }
    return messages
  }
}

/** Messages of a client after which the server answers and waits: Query, and Sync after the parts of a statement. */
export const endsRequest = ({ type }: Message) => type === 'Q' || type === 'S'
export const isTermination = ({ type }: Message) => type === 'X'
/** ReadyForQuery. */
export const endsAnswer = ({ type }: Message) => type === 'Z'

/** Returns the text between `from` and the next zero byte, and the place after it. */
function readText(bytes: Buffer, from: number): [text: string, next: number] {
  const end = bytes.indexOf(0, from)
  return [bytes.toString('utf8', from, end), end + 1]
}

/** Returns the text of a simple query such as `begin`, or null for a prepared statement. */
function simpleQuery(request: readonly Message[]): string | null {
  const query = request.find(({ type }) => type === 'Q')
  return query === undefined ? null : readText(query.bytes, HEADER)[0]
}

/** ParseComplete. */
export const PARSE_COMPLETE: Message = { type: '1', bytes: Buffer.from([0x31, 0, 0, 0, 4]) }

/** Returns the name of the statement that a request prepares, or null. */
export function parsedName(request: readonly Message[]): string | null {
  const parse = request.find(({ type }) => type === 'P')
  return (parse && readText(parse.bytes, HEADER)[0]) || null
}

/** The beginnings of prepared statements. The product names them by a hash of the text. */
const texts = new Map<string, string>()

/** Returns the beginning of the statement's text. */
export function statementOf(request: readonly Message[]): string {
  const simple = simpleQuery(request)
  if (simple !== null) return simple
  const parse = request.find(({ type }) => type === 'P')
  const bind = request.find(({ type }) => type === 'B')
  if (parse !== undefined) {
    const [name, at] = readText(parse.bytes, HEADER)
    const [text] = readText(parse.bytes, at)
    texts.set(name, text.replaceAll(/\s+/g, ' ').trim().slice(0, LEGIBLE))
  }
  const name = bind === undefined ? '' : readText(bind.bytes, readText(bind.bytes, HEADER)[1])[0]
  return texts.get(name) ?? ''
}

/** Returns the command tags and error codes of an answer, such as `INSERT 0 1` or `40P01`. */
export function resultOf(answer: readonly Message[]): string {
  const results = answer.flatMap(({ type, bytes }) => {
    if (type === 'C') return [readText(bytes, HEADER)[0]]
    return type === 'E' ? [fieldOf(bytes, 'C') ?? 'error'] : []
  })
  return results.join(', ')
}

function fieldOf(bytes: Buffer, field: string): string | null {
  for (let at = HEADER; (bytes[at] ?? 0) !== 0;) {
    const [text, next] = readText(bytes, at + 1)
    if (bytes[at] === field.charCodeAt(0)) return text
    at = next
  }
  return null
}

/** query_canceled */
const CANCELED = 'C57014\0'

/** Replaces the code of a cancelled statement, because the server lets others cancel it, but not with their reason. */
export function withReason(answer: Buffer<ArrayBuffer>, code: string): Buffer<ArrayBuffer> {
  const at = answer.indexOf(CANCELED)
  if (at < 0) return answer
  const changed = Buffer.from(answer)
  changed.write(`C${code}\0`, at)
  return changed
}

/** Encodes a simple query. */
export function encodeQuery(text: string): readonly Message[] {
  const body = Buffer.from(`${text}\0`)
  const bytes = Buffer.alloc(HEADER + body.length)
  bytes.write('Q', 0)
  bytes.writeUInt32BE(bytes.length - 1, 1)
  body.copy(bytes, HEADER)
  return [{ type: 'Q', bytes }]
}

export type { Message }
