/**
 * The span that is under way, as whoever works below it sees it: Node's own store of what belongs to a request, so that
 * nothing of OpenTelemetry is loaded by importing this. Where nothing is traced there is no span under way, and all
 * that is here costs one look into that store.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** Names of kinds, patterns, numbers; never a value, an address or a word of a person. */
export type Attributes = Readonly<Record<string, string | number | boolean>>

/** W3C's name of what tells another process of the span: a header, and a field of a job's payload. */
export const TRACEPARENT = 'traceparent'

/** Who waits for whom, in OpenTelemetry's words. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

/** A span that has begun. */
export interface Span {
  /** Begins a span below this one. `msAgo`: for what is reported at its end. */
  begin(name: string, kind: SpanKind, attributes?: Attributes, msAgo?: number): Span
  /** Adds to what the uppermost span of this process says: the request, or the job. */
  setOnRoot(attributes: Attributes): void
  /** Names it for another process, as W3C's header `traceparent` does. */
  traceparent(): string
  /** Ends it. `name`: the one it shall have, where that is known only now. */
  end(ending?: {
    readonly failed?: boolean
    readonly attributes?: Attributes
    readonly name?: string
  }): void
}

const underWay = new AsyncLocalStorage<Span>()

/** Runs the work below the span; whatever it waits for is below it too. Does not end the span. */
export function runBelow<Result>(span: Span, work: () => Result): Result {
  return underWay.run(span, work)
}

/** The span that the caller works below; undefined where nothing is traced. */
export function spanUnderWay(): Span | undefined {
  return underWay.getStore()
}

/** Runs the work as a span below the one under way; where there is none it just runs. @throws what the work throws */
export function traced<Result>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: () => Promise<Result>,
): Promise<Result> {
  const above = underWay.getStore()
  return above === undefined ? work() : runAndEnd(above.begin(name, kind, attributes), work)
}

/** Runs the work below the span and ends it with the work. @throws what the work throws */
export async function runAndEnd<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await underWay.run(span, work)
    span.end()
    return result
  } catch (error) {
    span.end({ failed: true })
    throw error
  }
}

/** A statement that has ended, as the meter of a pool gets it. */
interface EndedStatement {
  readonly pool: string
  readonly name: () => string
  readonly text: string
  readonly seconds: number
  readonly error: unknown
}

/**
 * Makes a span of a statement that has ended, below what asked for it: what it does to which table, and the name under
 * which slow ones are counted. Statements that nobody's span waits for are left out.
 */
export function traceStatement({ pool, name, text, seconds, error }: EndedStatement): void {
  const above = underWay.getStore()
  if (above === undefined) return
  const summary = summaryOf(text)
  const attributes = {
    'db.system.name': 'postgresql',
    'db.query.summary': summary,
    'db.statement.name': name(),
    'db.pool': pool,
  }
  above.begin(summary, 'client', attributes, seconds * 1000).end({ failed: error !== null })
}

/** Texts are as few as the statements of the product; what comes beyond is worked out each time. */
const MOST_TEXTS = 5000
const summaries = new Map<string, string>()

const CHANGE = /\b(insert\s+into|update|delete\s+from)\s+(?:only\s+)?"?([a-z_]+)/i
const READING = /\b(?:from|join)\s+"?([a-z_]+)\b"?(?!\s*[([])/i

/** `INSERT comments`, `SELECT lessons`, `BEGIN`: verb and first table (or what the statement itself calls it). */
function summaryOf(text: string): string {
  const known = summaries.get(text)
  if (known !== undefined) return known
  const outside = withoutBrackets(text)
  const first = /[a-z]+/i.exec(outside)?.[0] ?? 'statement'
  const [, words = first, table = (READING.exec(outside) ?? READING.exec(text))?.[1] ?? ''] =
    CHANGE.exec(text) ?? []
  const verb = (words.split(/\s/)[0] ?? '').toUpperCase()
  const summary = `${verb === 'WITH' ? 'SELECT' : verb} ${table}`.trim()
  if (summaries.size < MOST_TEXTS) summaries.set(text, summary)
  return summary
}

/** What stands in no brackets, without comments: of a statement with others in it, its own words. */
function withoutBrackets(text: string): string {
  let outside = text.replace(/\/\*.*?\*\//gs, '')
  for (let before = ''; before !== outside;) {
    before = outside
    outside = outside.replace(/\([^()]*\)/g, '[]')
  }
  return outside
}
