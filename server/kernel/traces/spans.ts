/**
 * The current span, kept in Node's AsyncLocalStorage so that importing this module loads nothing of OpenTelemetry.
 * Without tracing there is no current span, and each function costs one lookup.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** Names of kinds, patterns, numbers; never a value, an address or a person's words. */
export type Attributes = Readonly<Record<string, string | number | boolean>>

/** The name that W3C gives the trace context: a header, and a field of a job's payload. */
export const TRACEPARENT = 'traceparent'

/** As OpenTelemetry defines them. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

export interface Span {
  /** Begins a child span. `msAgo` is for work that is reported at its end. */
  begin(name: string, kind: SpanKind, attributes?: Attributes, msAgo?: number): Span
  /** Adds attributes to this process's root span: the request or the job. */
  setOnRoot(attributes: Attributes): void
  /** Returns the value of W3C's `traceparent` header. */
  traceparent(): string
  /** `name` replaces the name, if it is known only now. */
  end(ending?: {
    readonly failed?: boolean
    readonly attributes?: Attributes
    readonly name?: string
  }): void
}

const currentSpan = new AsyncLocalStorage<Span>()

/** Runs the work as a child of the span, with everything it awaits. Doesn't end the span. */
export function runBelow<Result>(span: Span, work: () => Result): Result {
  return currentSpan.run(span, work)
}

/** Returns the current span, or undefined without tracing. */
export function spanUnderWay(): Span | undefined {
  return currentSpan.getStore()
}

/** Runs the work as a child of the current span; without one, just runs it. @throws errors of the work */
export function traced<Result>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: () => Promise<Result>,
): Promise<Result> {
  const above = currentSpan.getStore()
  return above === undefined ? work() : runAndEnd(above.begin(name, kind, attributes), work)
}

/** Runs the work as a child of the span and ends the span with it. @throws errors of the work */
export async function runAndEnd<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await currentSpan.run(span, work)
    span.end()
    return result
  } catch (error) {
    span.end({ failed: true })
    throw error
  }
}

interface EndedStatement {
  readonly pool: string
  readonly name: () => string
  readonly text: string
  readonly seconds: number
  readonly error: unknown
}

/**
 * Records a finished statement as a child of the current span: its verb and table, and the name that the metrics
 * of slow statements use. Skips statements without a current span.
 */
export function traceStatement({ pool, name, text, seconds, error }: EndedStatement): void {
  const above = currentSpan.getStore()
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

/** The product has fewer statements; further ones are summarized each time. */
const MOST_TEXTS = 5000
const summaries = new Map<string, string>()

const CHANGE = /\b(insert\s+into|update|delete\s+from)\s+(?:only\s+)?"?([a-z_]+)/i
const READING = /\b(?:from|join)\s+"?([a-z_]+)\b"?(?!\s*[([])/i

/** Returns verb and first table (or CTE), as in `INSERT comments`, `SELECT lessons`, `BEGIN`. */
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

/** Removes comments and everything in brackets, so only the outer statement remains. */
function withoutBrackets(text: string): string {
  let outside = text.replace(/\/\*.*?\*\//gs, '')
  for (let before = ''; before !== outside;) {
    before = outside
    outside = outside.replace(/\([^()]*\)/g, '[]')
  }
  return outside
}
