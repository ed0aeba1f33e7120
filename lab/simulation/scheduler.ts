/**
 * Runs concurrent work in an order that a list of choices decides: it holds every request to the database, sends
 * one at a time, and delivers its answer before anything else happens. A statement that waits for a lock is set
 * aside, and another connection proceeds. The same choices give the same order.
 */
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Choices } from './choices.ts'
import type { Locks } from './locks.ts'
import type { Session } from './session.ts'
import { Sessions } from './sessions.ts'
import { encodeQuery, resultOf, statementOf, withReason } from './wire.ts'
import { WireStream } from './wire-stream.ts'

/** A message to a node, which arrives when the scheduler decides so. */
interface Message {
  readonly label: string
  readonly node: string
  readonly deliver: () => void
}

/** A piece of work that hasn't begun. `begin` must not throw. */
export interface Work {
  readonly name: string
  /** Nothing else is in flight with it. */
  readonly isAlone?: boolean
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
  readonly lostMessages: number
}

/** Work in flight at once. */
const MOST_AT_ONCE = 3
/** Holds back one of this many answers until it is chosen. */
const LATE = 6
/** Turns of the event loop without a change after which nothing is expected any more. */
const QUIET_TURNS = 3
const NONE = { steps: 0, deadlocks: 0, standstills: 0, lostMessages: 0 }
const MOST_STEPS = 5000
const MOST_STANDSTILLS = 5

const CODES = { deadlock: '40P01', lockTimeout: '55P03' } as const
/** Sent in place of a statement, so that the session reacts as it would to a real one. */
const SERIALIZATION_FAILURE = encodeQuery("do $$ begin raise sqlstate '40001'; end $$")
const HOUR_MS = 60 * 60 * 1000

/** True while this process waits for its file system. */
const isUsingFiles = () => process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))

export class Scheduler {
  #story: string[] = []
  #counts = { ...NONE }
  /** Replaces a node that dies. Its connections are cut afterwards. */
  onDeath: (node: string) => Promise<void> = async () => undefined
  /** Called when the clock of a node jumps, with its new difference in ms. */
  onClock: (node: string, ms: number) => void = () => undefined
  #messages: Message[] = []
  #streams: WireStream[] = []
  /** In the order of their first request, so that trace and choices don't depend on which one the pool took. */
  #named: WireStream[] = []
  readonly #sessions: Sessions
  readonly #spare: Session[] = []
  #isClosed = false
  #changes = 0
  #wake: () => void = () => undefined

  constructor(locks: Locks) {
    this.#sessions = new Sessions(
      locks,
      () => this.#running(),
      (ms) => this.#nextChange(ms),
    )
  }

  /** Opens a connection for a node. Pass it to pg as `stream`. */
  open(node: string): WireStream {
    const stream = new WireStream(node, this.#spare, () => this.#changed())
    this.#streams.push(stream)
    if (this.#isClosed) process.nextTick(() => stream.destroy(new Error('the scheduler is closed')))
    return stream
  }

  /** Sends a message to a node. */
  post(message: Message): void {
    this.#messages.push(message)
    this.#changes += 1
  }

  /** Runs all work to its end. @throws when it can't end */
  async run(list: readonly Work[], choices: Choices): Promise<Trace> {
    const waiting = [...list]
    let running = 0
    let isAlone = false
    this.#named = []
    this.#story = []
    this.#counts = { ...NONE }
    this.#streams = this.#streams.filter(({ state }) => state !== 'closed')
    for (;;) {
      await this.#settle()
      const ready = this.#named.filter(({ state }) => state === 'held' || state === 'answered')
      const most = isAlone || waiting[0]?.isAlone === true ? 1 : MOST_AT_ONCE
      const canBegin = waiting.length > 0 && running < most
      const begins = canBegin ? 1 : 0
      const count = ready.length + begins + this.#messages.length
      if (count === 0 && this.#running().length > 0) await this.#breakDeadlock(choices)
      else if (count === 0 && running === 0) break
      else if (count === 0) await this.#endStandstill()
      else {
        const choice = choices.choose(count)
        const chosen = ready[choice]
        if (chosen !== undefined) await this.#proceed(chosen, choices)
        else if (choice >= ready.length + begins)
          await this.#deliverMessage(choice - ready.length - begins, choices)
        else {
          const work = waiting.shift()
          running += 1
          isAlone = work?.isAlone === true
          this.tell(`${work?.name} begins`)
          void work?.begin().finally(() => {
            running -= 1
            this.#changes += 1
          })
        }
      }
      this.#counts.steps += 1
      if (this.#counts.steps > MOST_STEPS) throw new Error(`no end after ${MOST_STEPS} steps`)
    }
    return this.trace
  }

  /** Of the last run, so far. */
  get trace(): Trace {
    const hash = createHash('sha256').update(this.#story.join('\n')).digest('hex').slice(0, 16)
    return { hash, story: this.#story, ...this.#counts }
  }

  async #deliverMessage(place: number, choices: Choices): Promise<void> {
    const [message] = this.#messages.splice(place, 1)
    if (message === undefined) return
    const { label, node, deliver } = message
    const fault = choices.fault(true)
    if (fault === 'death') await this.#kill(node)
    if (fault === 'lost' || fault === 'unknown' || fault === 'death') {
      this.#counts.lostMessages += 1
      this.tell(`${label} is lost`)
      return
    }
    this.tell(`${label} arrives${fault === 'twice' ? ' twice' : ''}`)
    deliver()
    if (fault === 'twice') deliver()
  }

  async #proceed(stream: WireStream, choices: Choices): Promise<void> {
    if (stream.state === 'answered') return this.#deliver(stream)
    const statement = statementOf(stream.request)
    const isLast = stream.isInTransaction ? statement === 'commit' : statement !== 'begin'
    const fault = choices.fault(isLast)
    if (fault === 'lost') return this.#cut([stream], `${this.#label(stream)} is cut`)
    if (fault === 'death') return this.#kill(stream.node)
    if (fault === 'restart') return this.#cut(this.#open(), 'the database restarts')
    if (fault === 'ahead' || fault === 'behind') this.#setClock(stream.node, fault)
    this.tell(`${this.#label(stream)} ${statement}`)
    // A rollback doesn't fail.
    const fails = fault === 'serialization' && statement !== 'rollback'
    stream.send(fails ? SERIALIZATION_FAILURE : undefined)
    await this.#sessions.untilDone(stream)
    if (this.#running().includes(stream)) {
      if (fault === 'lockTimeout') await this.#cancel(stream, 'lockTimeout')
      return
    }
    if (fault === 'unknown')
      await this.#cut([stream], `${this.#label(stream)} is cut before the answer`)
    else if (choices.choose(LATE) < LATE - 1) this.#deliver(stream)
  }

  #deliver(stream: WireStream): void {
    this.tell(`${this.#label(stream)} → ${resultOf(stream.answer)}`)
    stream.deliver()
  }

  /** Waits until nothing happens any more without the scheduler. */
  async #settle(): Promise<void> {
    for (let quiet = 0, before = this.#changes; quiet < QUIET_TURNS; quiet += 1) {
      await nextTurn()
      if (this.#isClosed) throw new Error('the scheduler is closed')
      const isOpening = this.#streams.some(({ state }) => state === 'opening')
      if (this.#changes !== before || isOpening || isUsingFiles()) quiet = 0
      before = this.#changes
    }
    for (const stream of this.#streams) if (stream.state !== 'opening') stream.isNew = false
    const unnamed = this.#streams.filter(
      (stream) => stream.state === 'held' && !this.#named.includes(stream),
    )
    this.#named.push(...unnamed.toSorted((one, other) => one.usedSince - other.usedSince))
  }

  #changed(): number {
    this.#wake()
    return (this.#changes += 1)
  }

  /** Waits for a change, with a limit in ms. */
  #nextChange(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #running(): WireStream[] {
    return this.#named.filter(({ state }) => state === 'running')
  }

  async #breakDeadlock(choices: Choices): Promise<void> {
    this.#counts.deadlocks += 1
    const waiting = this.#running()
    const victim = waiting[choices.choose(waiting.length)]
    if (victim !== undefined) await this.#cancel(victim, 'deadlock')
  }

  /** Cuts the connections in use: the work that holds them fails, and what waits for them goes on. */
  async #endStandstill(): Promise<void> {
    this.#counts.standstills += 1
    if (this.#counts.standstills > MOST_STANDSTILLS)
      throw new Error('work waits for what never comes')
    await this.#cut(this.#named, 'nothing can go on, so all connections are cut')
  }

  async #kill(node: string): Promise<void> {
    const streams = this.#open().filter((each) => each.node === node)
    this.#messages = this.#messages.filter((each) => each.node !== node)
    // First, because the cut makes its work fail, which is then retried on the new one.
    await this.onDeath(node)
    await this.#cut(streams, `${node} dies`)
  }

  #open(): WireStream[] {
    return [...new Set([...this.#named, ...this.#streams])].filter(
      ({ state }) => state !== 'closed',
    )
  }

  #setClock(node: string, fault: 'ahead' | 'behind'): void {
    this.tell(`the clock of ${node} is an hour ${fault}`)
    this.onClock(node, fault === 'ahead' ? HOUR_MS : -HOUR_MS)
  }

  async #cut(streams: readonly WireStream[], what: string): Promise<void> {
    this.tell(what)
    // Idle ones first, so that no work that fails is given one of them. The order of the others decides what follows.
    const order = Map.groupBy(streams, ({ state }) => state === 'idle')
    await this.#sessions.end([...(order.get(true) ?? []), ...(order.get(false) ?? [])])
  }

  async #cancel(stream: WireStream, reason: keyof typeof CODES): Promise<void> {
    this.tell(`${this.#label(stream)} gets ${reason}`)
    await this.#sessions.cancel(stream)
    const bytes = Buffer.concat(stream.answer.map((message) => message.bytes))
    stream.deliver(withReason(bytes, CODES[reason]))
    await this.#sessions.untilStill()
  }

  #label(stream: WireStream): string {
    return `${stream.node}/${this.#named.indexOf(stream)}`
  }

  /** Adds a line to the story. */
  tell(line: string): void {
    this.#story.push(line)
  }

  /** Ends all connections, because those in use could not be closed otherwise, and work that still runs. */
  close(): void {
    this.#isClosed = true
    this.#sessions.goAll()
    for (const stream of this.#streams) stream.destroy()
    for (const session of this.#spare) session.end()
  }
}
