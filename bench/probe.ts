/**
 * Loaded into the product before it starts (`node --import`), for `--call`: says over the channel to its parent what
 * the process has used, and takes down the statements that it sends.
 */
import v8 from 'node:v8'
import pg from 'pg'

/** What a process has used since it started. */
export interface Used {
  /** Milliseconds of CPU of all threads. */
  readonly cpu: number
  /** Bytes of the heap that were allocated, freed since or not. */
  readonly allocated: number
}

/** A statement as it was sent, in the order of sending. */
export interface Sent {
  readonly text: string
  /** Milliseconds since the recording began, and until it was answered; null: it was not yet. */
  readonly at: number
  took: number | null
}

export type ProbeQuestion = 'used' | 'record' | 'recorded'

let begin = 0
let recorded: Sent[] | null = null

/** The text of what is given to pg: a text, a statement with its name, or a cursor. */
function textOf(given: unknown): string {
  if (typeof given === 'string') return given
  if (typeof given !== 'object' || given === null) return '?'
  return 'text' in given ? String(given.text) : 'cursor'
}

type Query = (this: pg.Client, ...given: unknown[]) => unknown
const prototype: { query: Query } = pg.Client.prototype as unknown as { query: Query }
const send = prototype.query
prototype.query = function query(...given) {
  const result = send.apply(this, given)
  if (recorded === null) return result
  const sent: Sent = { text: textOf(given[0]), at: performance.now() - begin, took: null }
  recorded.push(sent)
  const answered = () => {
    sent.took = performance.now() - begin - sent.at
  }
  if (result instanceof Promise) result.then(answered, answered)
  return result
}

function answer(question: unknown): unknown {
  if (question === 'used') {
    const { user, system } = process.cpuUsage()
    const { total_allocated_bytes: allocated } = v8.getHeapStatistics() as {
      total_allocated_bytes?: number
    }
    const used: Used = { cpu: (user + system) / 1000, allocated: allocated ?? 0 }
    return used
  }
  if (question === 'record') {
    begin = performance.now()
    recorded = []
    return null
  }
  const all = recorded ?? []
  recorded = null
  return all
}

process.on('message', (question) => process.send?.(answer(question)))
// Who listens would keep the process alive.
process.channel?.unref()
