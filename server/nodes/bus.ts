/**
 * The bus between nodes: what one publishes the others receive through Redis within milliseconds. Redis forgets what
 * nobody hears, so each node numbers what it sends and says the number every second: who finds one missing, or was cut
 * off itself, drops whatever it has cached. Nothing waits for Redis and nothing is sent again.
 */
import type { Change, Changes, ItemRef } from '#server/kernel/changes.ts'
import type { Log } from '#server/kernel/log.ts'
import { BoundedMap } from '#server/kernel/bounded-map.ts'
import { readBusMessage } from '#server/nodes/bus-message.ts'
import type { RedisLink } from '#server/redis/link.ts'

export interface Bus {
  /** Sends what waits. */
  close(): void
}

interface BusNeeds {
  readonly changes: Changes
  readonly log: Log
  /** Seconds from sending to hearing, as this node finds them with its own messages. */
  readonly lag: { set(seconds: number): void }
}

const CHANNEL = 'changes'
/** What happens within it goes in one message: a thousand likes a second are fifty messages. */
const GATHER_MS = 20
const BEAT_MS = 1000
/** Items of a message, some 20 KB. */
const MOST_ITEMS = 500
/** Of more than so many within GATHER_MS nothing is sent: the others drop everything, which costs them less. */
const MOST_GATHERED = 5000
const MOST_NODES = 1000
/** A message that is not understood is logged once in so long. */
const LOG_EVERY_MS = 60_000

/** What the hub delivers by its own backplane. */
const STAYS_HERE: ReadonlySet<Change['kind']> = new Set([
  'messageWritten',
  'messagesRead',
  'changesMissed',
])

/**
 * Sends what is published here to the other nodes, and receives what they publish, from now on. Without a link nothing
 * is done. It is long because its steps share what waits and what was heard of whom.
 */
export async function openBus(
  link: RedisLink | null,
  { changes, log, lag }: BusNeeds,
): Promise<Bus> {
  if (link === null) return { close: () => {} }
  const gathered = new Gathered()
  const heard = new BoundedMap<string, number>({ most: MOST_NODES })
  let number = 0
  let timer: NodeJS.Timeout | undefined
  let loggedAt = -Infinity

  const send = (list: readonly Change[]) =>
    link.publish(CHANNEL, Buffer.from(JSON.stringify({ n: number, t: performance.now(), c: list })))
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    for (const list of gathered.take()) {
      number += 1
      // What is lost here the next beat tells.
      if (list !== 'too many') send(list)
    }
  }
  const dropAll = (why: string, node?: string) => {
    log.warn({ node }, `${why}: whatever is cached here is read again`)
    changes.receive({ kind: 'changesMissed' })
  }
  const receive = (data: Buffer, from: string) => {
    const message = readBusMessage(data)
    if (message === null) {
      if (performance.now() - loggedAt < LOG_EVERY_MS) return
      loggedAt = performance.now()
      log.warn({ node: from, bytes: data.length }, 'a message on the bus is not one of ours')
      return
    }
    const { n, t, list, isWhole } = message
    if (from === link.node) {
      lag.set(Math.max(0, performance.now() - t) / 1000)
      return
    }
    const before = heard.get(from) ?? 0
    heard.set(from, n)
    const isNext = n === before + (message.isBeat ? 0 : 1)
    if (!isNext) dropAll('changes of another node may have been missed', from)
    else if (!isWhole) dropAll('another node tells of what this version does not know', from)
    for (const change of list) changes.receive(change)
  }

  changes.subscribe((change, origin) => {
    if (origin === 'elsewhere' || STAYS_HERE.has(change.kind)) return
    gathered.add(change)
    timer ??= setTimeout(flush, GATHER_MS)
  })
  link.onBack(() => dropAll('Redis was away and other nodes were not heard'))
  await link.subscribe(CHANNEL, receive)
  const beat = setInterval(() => send([]), BEAT_MS).unref()
  return {
    close: () => {
      clearInterval(beat)
      if (timer !== undefined) flush()
      link.unsubscribe(CHANNEL)
    },
  }
}

type Moved = Extract<Change, { readonly items: readonly ItemRef[] }>

/** Changes that wait to be sent together; items of one kind of change are joined. */
class Gathered {
  readonly #items = new Map<Moved['kind'], Map<string, ItemRef>>()
  #others: Change[] = []

  add(change: Change): void {
    if (!('items' in change)) {
      this.#others.push(change)
      return
    }
    const items = this.#items.get(change.kind) ?? new Map<string, ItemRef>()
    this.#items.set(change.kind, items)
    for (const item of change.items) items.set(`${item.kind} ${item.id}`, item)
  }

  /** In parts that each fit into a message; what is too much is only counted. */
  take(): (readonly Change[] | 'too many')[] {
    const all: Change[] = this.#others
    const parts: (readonly Change[] | 'too many')[] = []
    for (const [kind, items] of this.#items) {
      const list = [...items.values()]
      if (list.length > MOST_GATHERED) parts.push('too many')
      else
        for (let place = 0; place < list.length; place += MOST_ITEMS)
          parts.push([{ kind, items: list.slice(place, place + MOST_ITEMS) }])
    }
    if (all.length > MOST_GATHERED) parts.push('too many')
    else
      for (let place = 0; place < all.length; place += MOST_ITEMS)
        parts.push(all.slice(place, place + MOST_ITEMS))
    this.#items.clear()
    this.#others = []
    return parts
  }
}
