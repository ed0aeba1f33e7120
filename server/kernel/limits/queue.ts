/**
 * Bounds what runs at a time: expensive work (hashing a password, a search, rendering a page), changes of one item,
 * downloads. Other processes have queues of their own.
 */
import type { AtOnce, QueueLimits, Room } from '#contract/limits.ts'
import { Refusal, unavailable } from '#server/kernel/errors.ts'

/** A network, a person or an item; or a known session or device, which goes first. */
export type Asker = string | { readonly known: string }

interface Waiting {
  readonly begin: () => void
  readonly refuse: () => void
}

/** One asker's tasks. */
interface Line {
  readonly lane: Lane
  readonly name: string
  running: number
  readonly waiting: Waiting[]
}

/** Known askers, or all others. */
interface Lane {
  /** By name, while they have tasks. */
  readonly lines: Map<string, Line>
  /** Lines whose next task needs only a free slot, in the order of their turns. */
  readonly ready: Set<Line>
}

/** Turns of known askers after which another asker's comes. */
const KNOWN_IN_A_ROW = 3
const RETRY_SECONDS = 5

const tooManyTasks = () => new Refusal(429, 'tooManyRequests', { retryAfter: RETRY_SECONDS })

/**
 * Askers take turns, one task each, so that somebody who asks a hundred times doesn't starve somebody who asks once.
 * When no more tasks may wait, the asker with most of them loses the newest one to a newcomer. Known askers go first,
 * except that every fourth turn is another's; in all, any number of them wait.
 */
export class Queue {
  readonly #atOnce: Required<AtOnce>
  readonly #room: Required<Room>
  readonly #known: Lane = { lines: new Map(), ready: new Set() }
  readonly #others: Lane = { lines: new Map(), ready: new Set() }
  #running = 0
  /** Tasks of others that wait. */
  #waiting = 0
  /** Turns that known askers had since the last one of another. */
  #inARow = 0

  constructor({ atOnce, waiting = { all: 0 } }: QueueLimits) {
    this.#atOnce = { each: Infinity, all: Infinity, ...atOnce }
    this.#room = { each: Infinity, all: Infinity, longestMs: Infinity, ...waiting }
  }

  /**
   * Runs a task in its turn.
   * @throws Refusal 429 when the asker has too many tasks, 503 when all have or the turn doesn't come in time
   */
  async run<Value>(asker: Asker, task: () => Promise<Value>): Promise<Value> {
    const line = this.#lineOf(asker)
    if (this.#isFree(line)) this.#begin(line)
    else await this.#wait(line)
    try {
      return await task()
    } finally {
      this.#end(line)
    }
  }

  hasRoom(asker: Asker): boolean {
    return this.#isFree(this.#lineOf(asker))
  }

  /**
   * Takes a slot without waiting, for something like a download. The returned function frees it and may be called
   * again.
   * @throws Refusal 429 when the asker has all of their slots, 503 when all slots are taken
   */
  take(asker: Asker): () => void {
    const line = this.#lineOf(asker)
    if (!this.#isFree(line)) throw this.#refusalOf(line)
    this.#begin(line)
    let isEnded = false
    return () => {
      if (!isEnded) this.#end(line)
      isEnded = true
    }
  }

  #lineOf(asker: Asker): Line {
    const isKnown = typeof asker !== 'string'
    const lane = isKnown ? this.#known : this.#others
    const name = isKnown ? asker.known : asker
    return lane.lines.get(name) ?? { lane, name, running: 0, waiting: [] }
  }

  #isFree(line: Line): boolean {
    return this.#running < this.#atOnce.all && line.running < this.#atOnce.each
  }

  #refusalOf(line: Line): Refusal {
    return line.running < this.#atOnce.each ? unavailable() : tooManyTasks()
  }

  #begin(line: Line): void {
    this.#running += 1
    line.running += 1
    this.#update(line)
  }

  /** Hands the slot on directly, so that no new task can take it in between. */
  #end(line: Line): void {
    this.#running -= 1
    line.running -= 1
    this.#update(line)
    this.#beginNext()
  }

  #beginNext(): void {
    const isForOthers = this.#inARow >= KNOWN_IN_A_ROW && this.#others.ready.size > 0
    const lane = isForOthers || this.#known.ready.size === 0 ? this.#others : this.#known
    this.#inARow = lane === this.#known ? this.#inARow + 1 : 0
    const [line] = lane.ready
    if (line === undefined) return
    // If more of its tasks wait, it is ready again at the end of the round.
    lane.ready.delete(line)
    this.#begin(line)
    line.waiting[0]?.begin()
  }

  #wait(line: Line): Promise<void> {
    if (line.waiting.length >= this.#room.each) throw tooManyTasks()
    const isOther = line.lane === this.#others
    if (isOther && this.#waiting >= this.#room.all) this.#makeRoom(line)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const { longestMs } = this.#room
    const timer =
      longestMs < Infinity ? setTimeout(() => mine.refuse(), longestMs).unref() : undefined
    const leave = () => {
      clearTimeout(timer)
      line.waiting.splice(line.waiting.indexOf(mine), 1)
      if (isOther) this.#waiting -= 1
      this.#update(line)
    }
    const mine: Waiting = {
      begin: () => {
        leave()
        resolve()
      },
      refuse: () => {
        leave()
        reject(unavailable())
      },
    }
    line.waiting.push(mine)
    if (isOther) this.#waiting += 1
    this.#update(line)
    return promise
  }

  #makeRoom(newcomer: Line): void {
    let longest = newcomer
    for (const line of this.#others.lines.values())
      if (line.waiting.length > longest.waiting.length) longest = line
    if (longest.waiting.length <= newcomer.waiting.length + 1) throw this.#refusalOf(newcomer)
    longest.waiting.at(-1)?.refuse()
  }

  #update(line: Line): void {
    const { lane, name, running, waiting } = line
    if (running + waiting.length > 0) lane.lines.set(name, line)
    else lane.lines.delete(name)
    if (waiting.length > 0 && running < this.#atOnce.each) lane.ready.add(line)
    else lane.ready.delete(line)
  }
}
