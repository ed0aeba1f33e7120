import { Counter, Histogram, type Registry } from 'prom-client'
import type { Log } from '#server/kernel/log.ts'

/** The state that a pg.Pool exposes. */
export interface PoolState {
  readonly options: { readonly max?: number | undefined }
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
}

export interface EndedStatement {
  /** The pool that ran the statement. */
  readonly pool: string
  /** A hash of the text, the same in every process and version that has this text. */
  readonly name: () => string
  /** Has placeholders, never values. */
  readonly text: string
  readonly seconds: number
  /** Null if the statement succeeded. */
  readonly error: unknown
}

export interface DatabaseMetrics {
  ended(statement: EndedStatement): void
}

const SECONDS = [0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]
/** People notice a statement that takes longer. */
const SLOW_SECONDS = 0.3
/** More names than the product has slow statements; further ones are counted as one. */
const MOST_NAMES = 200
const MOST_TEXT = 300

/** Logs the text of each slow statement once, so that its name can be looked up. */
export function measureDatabase(registry: Registry, log: Pick<Log, 'warn'>): DatabaseMetrics {
  const registers = [registry]
  const seconds = new Histogram({
    name: 'bazaar_db_statement_seconds',
    help: 'Seconds a statement took, its way included, by pool',
    labelNames: ['pool'],
    buckets: SECONDS,
    registers,
  })
  const slow = new Counter({
    name: 'bazaar_db_slow_statements_total',
    help: `Statements that took ${SLOW_SECONDS} s or longer, by name; the log has the text of each name once`,
    labelNames: ['statement'],
    registers,
  })
  const errors = new Counter({
    name: 'bazaar_db_errors_total',
    help: 'Statements that failed, by pool and kind',
    labelNames: ['pool', 'kind'],
    registers,
  })
  const slowNames = new Set<string>()
  return {
    ended: ({ pool, name: nameOf, text, seconds: took, error }) => {
      seconds.observe({ pool }, took)
      if (error !== null) errors.inc({ pool, kind: kindOf(error) })
      if (took < SLOW_SECONDS) return
      const name = nameOf()
      const isNew = !slowNames.has(name)
      if (isNew && slowNames.size >= MOST_NAMES) return slow.inc({ statement: 'other' })
      slowNames.add(name)
      slow.inc({ statement: name })
      if (isNew) {
        const begins = text.replaceAll(/\s+/g, ' ').trim().slice(0, MOST_TEXT)
        log.warn({ statement: name, pool, seconds: took, begins }, 'a slow statement')
      }
    },
  }
}

/** By SQLSTATE. A statement without one never reached PostgreSQL or got no answer. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^57014$/, 'timeout'],
  [/^55P03$/, 'lock'],
  [/^40P01$/, 'deadlock'],
  [/^40001$/, 'serialization'],
  [/^23/, 'constraint'],
  [/^(?:53100|58030)$/, 'disk'],
  [/^53/, 'resources'],
  [/^(?:08|57P)/, 'connection'],
  [/^25006$/, 'read_only'],
  [/^42/, 'statement'],
  [/^[0-9A-Z]{5}$/, 'other'],
]

function kindOf(error: unknown): string {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  return KINDS.find(([pattern]) => pattern.test(code))?.[1] ?? 'connection'
}
