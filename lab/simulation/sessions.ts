/**
 * The server's processes behind the connections. Those that wait for a lock are stopped, and those that got their
 * lock go on one after the other: they would race for the next version of a row.
 */
import type { Locks } from './locks.ts'
import { encodeQuery } from './wire.ts'
import type { WireStream } from './wire-stream.ts'

/** In ms. When an answer takes longer, we ask whether the statement waits for a lock. */
const SOON_MS = 1
/** In ms. A statement that needs longer, without waiting for a lock, ends the simulation. */
const MOST_MS = 10_000

const ROLLBACK = encodeQuery('rollback')
const NOBODY: ReadonlySet<number> = new Set()

export class Sessions {
  readonly #locks: Locks
  /** Lists connections whose statement has no answer yet. */
  readonly #running: () => readonly WireStream[]
  /** Waits for an answer or the end of a connection, with a limit in ms. */
  readonly #nextChange: (ms: number) => Promise<void>
  /** Process ids of sessions that wait for a lock. */
  readonly #stopped = new Set<number>()

  constructor(
    locks: Locks,
    running: () => readonly WireStream[],
    nextChange: (ms: number) => Promise<void>,
  ) {
    this.#locks = locks
    this.#running = running
    this.#nextChange = nextChange
  }

  /** Waits until this statement has its answer or waits for a lock, and so do those that it lets go on. */
  async untilDone(stream: WireStream): Promise<void> {
    const isRunning = () => stream.state === 'running'
    if (isRunning()) await this.#nextChange(SOON_MS)
    // Within a transaction no lock becomes free.
    if (stream.state !== 'answered' || !stream.isInTransaction) await this.untilStill()
  }

  /** Waits until each sent statement has its answer or waits for a lock. */
  async untilStill(): Promise<void> {
    for (;;) {
      const waiting = await this.#untilOneStops()
      const next = this.#running().find(({ pid }) => !waiting.has(pid))
      if (next === undefined) return
      this.go(next)
    }
  }

  /** Lets a stopped session go on. */
  go({ pid }: WireStream): void {
    if (this.#stopped.delete(pid)) process.kill(pid, 'SIGCONT')
  }

  /** Cancels a statement that waits, and waits for its answer. */
  async cancel(stream: WireStream): Promise<void> {
    this.go(stream)
    await this.#locks.cancel(stream.pid)
    await this.#untilAnswered(stream)
  }

  /** Rolls back what the connections have begun, and cuts them. */
  async end(streams: readonly WireStream[]): Promise<void> {
    // Before the rollbacks, so that none gets a lock from another and commits.
    for (const stream of streams) if (stream.state === 'running') await this.cancel(stream)
    for (const stream of streams)
      if (stream.needsRollback) {
        stream.send(ROLLBACK)
        await this.#untilAnswered(stream)
      }
    for (const stream of streams) stream.cut()
    await this.untilStill()
  }

  /** Lets all sessions go on, because the server can't end those that are stopped. */
  goAll(): void {
    for (const pid of this.#stopped) process.kill(pid, 'SIGCONT')
    this.#stopped.clear()
  }

  async #untilAnswered(stream: WireStream): Promise<void> {
    const end = performance.now() + MOST_MS
    while (stream.state === 'running') {
      if (performance.now() > end) throw new Error('the database does not react')
      await this.#nextChange(SOON_MS)
    }
  }

  /** Waits until the session that isn't stopped has its answer or waits. Returns all that wait. */
  async #untilOneStops(): Promise<ReadonlySet<number>> {
    const end = performance.now() + MOST_MS
    for (;;) {
      const isStopped = () => this.#running().every(({ pid }) => this.#stopped.has(pid))
      // Otherwise it may let others go on while we ask.
      const isCurrent = isStopped()
      const sent = this.#running().map(({ pid }) => pid)
      if (sent.length === 0) return NOBODY
      const waiting = await this.#locks.waiting(sent)
      if (isCurrent) return waiting
      for (const pid of sent)
        if (!this.#stopped.has(pid) && waiting.has(pid)) {
          process.kill(pid, 'SIGSTOP')
          this.#stopped.add(pid)
        }
      if (performance.now() > end) throw new Error('a statement takes too long')
      if (!isStopped()) await this.#nextChange(SOON_MS)
    }
  }
}
