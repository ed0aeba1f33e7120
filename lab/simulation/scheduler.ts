/**
 * Runs concurrent work in an order that a list of choices decides: it holds every request to the database, sends
 * one at a time, and delivers its answer before anything else happens. A statement that waits for a lock is set
 * aside, and another connection proceeds. The same choices give the same order.
 */
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Locks } from './locks.ts'
import { resultOf, statementOf, withReason } from './wire.ts'
import { WireStream } from './wire-stream.ts'

/**
 * A fault at a request. `lost` cuts the connection before the request is sent, `unknown` before the answer arrives.
 * `death` ends the node. `lockTimeout` cancels the statement if it waits for a lock.
 */
export type Fault = 'lost' | 'unknown' | 'death' | 'lockTimeout'

export interface Choices {
  /** Returns a number below `count`. */
  choose(count: number): number
  /** Returns the fault for this request, or null. */
  fault(): Fault | null
}

/** A piece of work that hasn't begun. `begin` must not throw. */
export interface Work {
  readonly name: string
  begin(): Promise<void>
}

export interface Trace {
  /** Identifies everything that happened, in order. */
  readonly hash: string
  readonly steps: number
  /** One line per step. */
  readonly story: readonly string[]
  /** How often statements waited for each other's locks. */
  readonly deadlocks: number
  /** How often all work waited for something else, such as a connection of an exhausted pool. */
  readonly standstills: number
}

/** Work in flight at once. */
const MOST_AT_ONCE = 4
/** Turns of the event loop without a change after which nothing is expected any more. */
const QUIET_TURNS = 3
/** In ms: an answer that takes longer may wait for a lock. */
const SOON_MS = 2
/** In ms. A statement that needs longer, without waiting for a lock, ends the simulation. */
const MOST_MS = 30_000
const MOST_STEPS = 5000
const MOST_STANDSTILLS = 20

const NOBODY: ReadonlySet<number> = new Set()

const CODES = { deadlock: '40P01', lockTimeout: '55P03' } as const

export class Scheduler {
  #story: string[] = []
  #steps = 0
  #deadlocks = 0
  #standstills = 0
  /** Called when a node dies. Its connections are already cut. */
  onDeath: (node: string) => void = () => undefined
  #streams: WireStream[] = []
  /** In the order of their first request, so that trace and choices don't depend on which one the pool took. */
  #named: WireStream[] = []
  readonly #locks: Locks
  /** Process ids of sessions that wait for a lock. */
  readonly #stopped = new Set<number>()
  #changes = 0

  constructor(locks: Locks) {
    this.#locks = locks
  }

  /** Opens a connection for a node. Pass it to pg as `stream`. */
  open(node: string): WireStream {
    const stream = new WireStream(node, () => (this.#changes += 1))
    this.#streams.push(stream)
    return stream
  }

  /** Runs all work to its end. @throws when it can't end */
  async run(list: readonly Work[], choices: Choices): Promise<Trace> {
    const waiting = [...list]
    let running = 0
    this.#named = []
    this.#story = []
    this.#steps = 0
    this.#deadlocks = 0
    this.#standstills = 0
    this.#streams = this.#streams.filter(({ state }) => state !== 'closed')
    for (;;) {
      await this.#settle()
      const ready = this.#named.filter(({ state }) => state === 'held' || state === 'answered')
      const canBegin = waiting.length > 0 && running < MOST_AT_ONCE
      const count = ready.length + (canBegin ? 1 : 0)
      if (count === 0 && this.#running().length > 0) await this.#breakDeadlock(choices)
      else if (count === 0 && running === 0) break
      else if (count === 0) await this.#endStandstill()
      else {
        const chosen = ready[choices.choose(count)]
        if (chosen !== undefined) await this.#proceed(chosen, choices)
        else {
          const work = waiting.shift()
          running += 1
          this.tell(`${work?.name} begins`)
          void work?.begin().finally(() => {
            running -= 1
            this.#changes += 1
          })
        }
      }
      this.#steps += 1
      if (this.#steps > MOST_STEPS) throw new Error(`no end after ${MOST_STEPS} steps`)
    }
    const hash = createHash('sha256').update(this.#story.join('\n')).digest('hex').slice(0, 16)
    return {
      hash,
      steps: this.#steps,
      story: this.#story,
      deadlocks: this.#deadlocks,
      standstills: this.#standstills,
    }
  }

  async #proceed(stream: WireStream, choices: Choices): Promise<void> {
    if (stream.state === 'answered') return this.#deliver(stream)
    const fault = choices.fault()
    if (fault === 'lost') return this.#cut([stream], `${this.#label(stream)} is cut`)
    if (fault === 'death') return this.#kill(stream.node)
    stream.send()
    this.tell(`${this.#label(stream)} ${statementOf(stream.request)}`)
    await this.#untilStill()
    if (this.#running().includes(stream)) {
      if (fault === 'lockTimeout') await this.#cancel(stream, 'lockTimeout')
      return
    }
    if (fault !== 'unknown') return this.#deliver(stream)
    await this.#cut([stream], `${this.#label(stream)} is cut before the answer`)
  }

  #deliver(stream: WireStream): void {
    this.tell(`${this.#label(stream)} → ${resultOf(stream.answer)}`)
    stream.deliver()
  }

  /** Waits until nothing happens any more without the scheduler. */
  async #settle(): Promise<void> {
    for (let quiet = 0, before = this.#changes; quiet < QUIET_TURNS; quiet += 1) {
      await nextTurn()
      const isOpening = this.#streams.some(({ state }) => state === 'opening')
      if (this.#changes !== before || isOpening) quiet = 0
      before = this.#changes
    }
    for (const stream of this.#streams) if (stream.state !== 'opening') stream.isNew = false
    const unnamed = this.#streams.filter(
      (stream) => stream.state === 'held' && !this.#named.includes(stream),
    )
    this.#named.push(...unnamed.toSorted((one, other) => one.usedSince - other.usedSince))
  }

  #running(): WireStream[] {
    return this.#named.filter(({ state }) => state === 'running')
  }

  /**
   * Waits until each sent statement has its answer or waits for a lock. Sessions that wait are stopped, and those
   * that got their lock go on one after the other: they would race for the next version of a row.
   */
  async #untilStill(): Promise<void> {
    for (;;) {
      const waiting = await this.#untilOneStops()
      const next = this.#running().find(({ pid }) => !waiting.has(pid))
      if (next === undefined) return
      this.#go(next)
    }
  }

  /** Waits until the session that isn't stopped has its answer or waits. Returns all that wait. */
  async #untilOneStops(): Promise<ReadonlySet<number>> {
    const end = performance.now() + MOST_MS
    for (;;) {
      const isRunning = () => this.#running().some(({ pid }) => !this.#stopped.has(pid))
      const soon = performance.now() + SOON_MS
      while (isRunning() && performance.now() < soon) await nextTurn()
      const sent = this.#running().map(({ pid }) => pid)
      const waiting = sent.length === 0 ? NOBODY : await this.#locks.waiting(sent)
      for (const pid of sent)
        if (!this.#stopped.has(pid) && waiting.has(pid)) {
          process.kill(pid, 'SIGSTOP')
          this.#stopped.add(pid)
        }
      if (!isRunning()) return waiting
      if (performance.now() > end) throw new Error('a statement takes too long')
    }
  }

  #go({ pid }: WireStream): void {
    if (this.#stopped.delete(pid)) process.kill(pid, 'SIGCONT')
  }

  async #breakDeadlock(choices: Choices): Promise<void> {
    this.#deadlocks += 1
    const waiting = this.#running()
    const victim = waiting[choices.choose(waiting.length)]
    if (victim !== undefined) await this.#cancel(victim, 'deadlock')
  }

  async #cancel(stream: WireStream, reason: keyof typeof CODES): Promise<void> {
    this.tell(`${this.#label(stream)} gets ${reason}`)
    this.#go(stream)
    await this.#locks.cancel(stream.pid)
    await this.#until(() => stream.state === 'answered')
    const bytes = Buffer.concat(stream.answer.map((message) => message.bytes))
    stream.deliver(withReason(bytes, CODES[reason]))
    await this.#untilStill()
  }

  /** Cuts the connections in use: the work that holds them fails, and what waits for them goes on. */
  async #endStandstill(): Promise<void> {
    this.#standstills += 1
    if (this.#standstills > MOST_STANDSTILLS) throw new Error('work waits for what never comes')
    await this.#cut(this.#named, 'nothing can go on, so all connections are cut')
  }

  async #kill(node: string): Promise<void> {
    // The named ones first, because the order in which their errors arrive decides what happens next.
    const streams = [...new Set([...this.#named, ...this.#streams])].filter(
      (each) => each.node === node && each.state !== 'closed',
    )
    await this.#cut(streams, `${node} dies`)
    this.onDeath(node)
  }

  async #cut(streams: readonly WireStream[], what: string): Promise<void> {
    this.tell(what)
    const pids = streams.map(({ pid }) => pid)
    // Before stopped ones go on, so that none gets a lock from another and commits.
    await this.#locks.terminate(pids)
    for (const stream of streams) {
      this.#go(stream)
      stream.cut()
    }
    await this.#locks.untilEnded(pids)
    await this.#untilStill()
  }

  async #until(isTrue: () => boolean): Promise<void> {
    const end = performance.now() + MOST_MS
    while (!isTrue()) {
      if (performance.now() > end) throw new Error('the database does not react')
      await nextTurn()
    }
  }

  #label(stream: WireStream): string {
    return `${stream.node}/${this.#named.indexOf(stream)}`
  }

  /** Adds a line to the story. */
  tell(line: string): void {
    this.#story.push(line)
  }

  /** Ends all connections, because those in use could not be closed otherwise. */
  close(): void {
    for (const stream of this.#streams) {
      this.#go(stream)
      stream.cut()
    }
  }
}
