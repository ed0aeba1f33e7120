/**
 * People who write without pause. Each write has a draft id, so that it can be repeated when no answer arrives.
 * Afterwards everything is read back, and each acknowledged write must exist exactly once.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { lessonForm } from '#server/testing/app.ts'
import { counted, type Random } from './experiment.ts'
import { call, publish, register, type Person } from './people.ts'
import { checkBooks, readAll } from './reading.ts'

type Kind = 'message' | 'comment' | 'lesson'

export interface WriterOptions {
  /** Called before each try, because the address may change. */
  readonly origin: () => string
  readonly random: Random
  /** Writes started per second, independent of the answers. Defaults to 20. */
  readonly perSecond?: number
  /** Registered once, at the beginning. Defaults to 8. */
  readonly people?: number
}

export interface Count {
  readonly acknowledged: number
  readonly lost: number
  readonly doubled: number
  /** Refused writes, and ledgers that don't balance. */
  readonly breaches: readonly string[]
}

export interface Writer {
  /** A lesson of the first person, open to comments. */
  readonly lesson: number
  /** Failed tries by their status (0 for no answer). Each was repeated. */
  failures(): string[]
  /** Time in ms of the slowest write, including all its tries. */
  slowestMs(): number
  start(): void
  /**
   * Returns the time in ms from `since` (performance.now()) to the first success of a later try.
   * @throws Error when there is none in time
   */
  recovered(since: number, timeoutMs?: number): Promise<number>
  /** Starts no more writes, and waits until each is acknowledged or given up. */
  finish(timeoutMs?: number): Promise<void>
  /** Reads everything back and checks every person's ledger. */
  count(): Promise<Count>
}

interface Write {
  readonly kind: Kind
  readonly mark: string
  readonly from: Person
  readonly to: Person
  readonly draftId: string
}

const AGAIN_MS = 100
const MOST_OPEN = 100
/** A write is given up after this time in ms. */
const WRITE_MS = 60_000
/** Of 20 writes, the first 10 are messages, the next 8 comments, and the rest lessons. */
const SHARES = [10, 18] as const

/** Registers people and publishes a lesson. */
export async function openWriter(options: WriterOptions): Promise<Writer> {
  const { origin, random, perSecond = 20 } = options
  const people: Person[] = []
  for (let place = 0; place < (options.people ?? 8); place += 1)
    people.push(await register(origin()))
  const [first] = people
  if (first === undefined) throw new Error('a writer needs people')
  const lesson = await publish(origin(), first)
  const begun: Write[] = []
  const done = new Set<string>()
  const refused: string[] = []
  const open = new Set<Promise<void>>()
  const run = randomUUID().slice(0, 8)
  const failures: string[] = []
  let successes: { askedAt: number; at: number }[] = []
  let timer: NodeJS.Timeout | undefined
  let isLate = false
  let slowestMs = 0

  const begin = () => {
    if (open.size >= MOST_OPEN) return
    const place = random.between(0, people.length - 1)
    const share = random.between(0, 19)
    const kind = share < SHARES[0] ? 'message' : share < SHARES[1] ? 'comment' : 'lesson'
    const write: Write = {
      kind,
      mark: `mark ${run} ${begun.length}.`,
      // Owners comment without buying.
      from: kind === 'comment' ? first : (people[place] ?? first),
      to: people[(place + 1) % people.length] ?? first,
      draftId: randomUUID(),
    }
    begun.push(write)
    const work = bring(write).finally(() => open.delete(work))
    open.add(work)
  }

  const bring = async (write: Write) => {
    const begunAt = performance.now()
    const end = begunAt + WRITE_MS
    while (performance.now() < end && !isLate) {
      const askedAt = performance.now()
      const status = await send(origin(), write, lesson).catch(() => 0)
      if (status >= 200 && status < 300) {
        done.add(write.mark)
        successes.push({ askedAt, at: performance.now() })
        slowestMs = Math.max(slowestMs, performance.now() - begunAt)
        return
      }
      failures.push(`a ${write.kind} was answered ${status} and repeated`)
      if (status >= 400 && status < 500 && status !== 429 && status !== 408) {
        refused.push(`a ${write.kind} was answered ${status}`)
        return
      }
      await sleep(AGAIN_MS)
    }
  }

  return {
    lesson,
    failures: () => counted(failures),
    slowestMs: () => slowestMs,
    start: () => {
      timer ??= setInterval(begin, 1000 / perSecond)
    },
    recovered: async (since, timeoutMs = 60_000) => {
      const end = performance.now() + timeoutMs
      for (;;) {
        const [found] = successes.filter(({ askedAt }) => askedAt >= since)
        if (found !== undefined) {
          successes = []
          return found.at - since
        }
        if (performance.now() > end)
          throw new Error(`nothing was acknowledged for ${timeoutMs} ms after the fault`)
        await sleep(10)
      }
    },
    finish: async (timeoutMs = 30_000) => {
      clearInterval(timer)
      timer = undefined
      await Promise.race([Promise.all(open), sleep(timeoutMs, null, { ref: false })])
      isLate = true
      await Promise.all(open)
    },
    count: async () => {
      const found = await readAll(origin(), people, lesson)
      const times = (write: Write) => found.get(write.mark) ?? 0
      return {
        acknowledged: done.size,
        lost: begun.filter((write) => done.has(write.mark) && times(write) === 0).length,
        doubled: begun.filter((write) => times(write) > 1).length,
        breaches: [...counted(refused), ...(await checkBooks(origin(), people))],
      }
    },
  }
}

async function send(
  origin: string,
  { kind, mark, from, to, draftId }: Write,
  lessonId: number,
): Promise<number> {
  if (kind === 'lesson') {
    const form = await lessonForm({ title: mark, draftId })
    return (await call(origin, from, 'POST', '/lesson/create', { form })).status
  }
  if (kind === 'comment') {
    const json = { text: mark, draftId }
    return (await call(origin, from, 'POST', `/comment/create/${lessonId}`, { json })).status
  }
  const json = { text: mark, receiverUsername: to.username, draftId }
  return (await call(origin, from, 'POST', '/message/create', { json })).status
}
