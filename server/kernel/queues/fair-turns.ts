/**
 * Fair queues for expensive work (hashing a password, a search, rendering a page): little runs at once, and
 * somebody who asks a hundred times doesn't starve somebody who asks once.
 */
import { networkOf } from '#server/kernel/network.ts'
import { unavailable } from '#server/kernel/errors.ts'

/** Whose turn it is: a network, or a known session or device, which goes first. */
export interface Asker {
  readonly name: string
  readonly isKnown: boolean
}

interface Waiting {
  readonly start: () => void
  readonly refuse: () => void
}

export interface TurnsOptions {
  readonly atOnce: number
  /** Maximum number of unknown askers' tasks that wait. */
  readonly most: number
  /** Maximum number of one unknown asker's tasks that wait. */
  readonly each?: number
  /** Maximum waiting time of a task in ms. */
  readonly longest?: number
}

/** Tells unknown askers apart by network. */
export const askerAt = (address: string): Asker => ({ name: networkOf(address), isKnown: false })
/** `name` identifies a session, a device or anything else that is known. */
export const knownAsker = (name: string): Asker => ({ name, isKnown: true })

/** Turns of known askers after which an unknown asker's comes. */
const KNOWN_IN_A_ROW = 3

export type FairTurns = <Value>(asker: Asker, task: () => Promise<Value>) => Promise<Value>

/**
 * Askers take turns, one task each. When `most` tasks wait, the asker with most of them loses the newest one to a
 * newcomer. Known askers go first, except that every fourth turn is an unknown asker's; limits of their own bound
 * how many known askers wait. Rejects with 503 when too many tasks wait or one has waited too long.
 */
export function createFairTurns({
  atOnce,
  most,
  each = Infinity,
  longest = Infinity,
}: TurnsOptions): FairTurns {
  const known = new Map<string, Waiting[]>()
  const strangers = new Map<string, Waiting[]>()
  let running = 0
  let waiting = 0
  let inARow = 0

  function makeRoom(newcomer: string): void {
    const [name, longest] = [...strangers].reduce(
      (most, line) => (line[1].length > most[1].length ? line : most),
      ['', []] as [string, Waiting[]],
    )
    if (longest.length <= (strangers.get(newcomer)?.length ?? 0) + 1) throw unavailable()
    longest.pop()?.refuse()
    waiting -= 1
    if (longest.length === 0) strangers.delete(name)
  }

  function takeNext(lines: Map<string, Waiting[]>): Waiting | undefined {
    const [name, line] = lines.entries().next().value ?? []
    if (name === undefined || line === undefined) return undefined
    // Moves the asker to the end of the round.
    lines.delete(name)
    const next = line.shift()
    if (line.length > 0) lines.set(name, line)
    return next
  }

  function wait({ name, isKnown }: Asker): Promise<void> {
    const lines = isKnown ? known : strangers
    if ((lines.get(name)?.length ?? 0) >= each) throw unavailable()
    if (!isKnown && waiting >= most) makeRoom(name)
    if (!isKnown) waiting += 1
    return new Promise((resolve, reject) => {
      const line = lines.get(name) ?? []
      const timer = longest === Infinity ? undefined : setTimeout(() => leave(), longest).unref()
      const mine: Waiting = {
        start: () => {
          clearTimeout(timer)
          resolve()
        },
        refuse: () => {
          clearTimeout(timer)
          reject(unavailable())
        },
      }
      const leave = () => {
        line.splice(line.indexOf(mine), 1)
        if (line.length === 0 && lines.get(name) === line) lines.delete(name)
        if (!isKnown) waiting -= 1
        mine.refuse()
      }
      line.push(mine)
      lines.set(name, line)
    })
  }

  function passOn(): void {
    const isForStranger = inARow >= KNOWN_IN_A_ROW
    const next = (isForStranger ? takeStranger() : undefined) ?? takeKnown() ?? takeStranger()
    // Hands the slot on directly, so that no new task can take it in between.
    if (next === undefined) running -= 1
    else next.start()
  }

  function takeKnown(): Waiting | undefined {
    const next = takeNext(known)
    if (next !== undefined) inARow += 1
    return next
  }

  function takeStranger(): Waiting | undefined {
    const next = takeNext(strangers)
    if (next !== undefined) waiting -= 1
    inARow = 0
    return next
  }

  return async (asker, task) => {
    if (running >= atOnce) await wait(asker)
    else running += 1
    try {
      return await task()
    } finally {
      passOn()
    }
  }
}
