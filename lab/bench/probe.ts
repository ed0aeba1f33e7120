/**
 * Loaded into the product before it starts (`node --import`): says over the channel to its parent what the process has
 * used and how long its event loop was held, and takes down the statements that it sends. Until it is asked, the
 * process runs as it is shipped.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
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

export type ProbeQuestion = 'used' | 'record' | 'recorded' | 'watchDelay' | 'delay'

/** Milliseconds between two looks; the delay is what comes on top. */
const LOOK_MS = 1
const delay = monitorEventLoopDelay({ resolution: LOOK_MS })

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
const sendRecorded: Query = function query(...given) {
  const result = send.apply(this, given)
  const sent: Sent = { text: textOf(given[0]), at: performance.now() - begin, took: null }
  recorded?.push(sent)
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
    prototype.query = sendRecorded
    return null
  }
  if (question === 'watchDelay') {
    delay.reset()
    return delay.enable()
  }
  if (question === 'delay') {
    delay.disable()
    return Math.max(0, delay.percentile(99) / 1e6 - LOOK_MS)
  }
  prototype.query = send
  const all = recorded ?? []
  recorded = null
  return all
}

process.on('message', (question) => process.send?.(answer(question)))
// Who listens would keep the process alive.
process.channel?.unref()
