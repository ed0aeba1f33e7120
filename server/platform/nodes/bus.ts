/**
 * Sends events between nodes through Redis within milliseconds. Redis doesn't store messages, so each node
 * numbers them and sends the number every second: a node that misses one, or was disconnected, drops all caches.
 * It does the same when a node falls silent without announcing its end, because that node may have stored events
 * that it couldn't send. Nothing waits for Redis, and nothing is sent again.
 */
import { KINDS, type Event, type ItemRef } from '#server/platform/events/catalogue.ts'
import type { Events } from '#server/platform/events/events.ts'
import type { Log } from '#server/kernel/log.ts'
import { spanUnderWay } from '#server/kernel/traces/spans.ts'
import { BoundedMap } from '#server/kernel/bounded-map.ts'
import { readBusMessage } from '#server/platform/nodes/bus-message.ts'
import type { RedisLink } from '#signalr/redis'

export interface Bus {
  /** Sends what waits. */
  close(): void
}

interface BusNeeds {
  readonly events: Events
  readonly log: Log
  /** Seconds from sending to receiving, measured with this node's own messages. */
  readonly lag: { set(seconds: number): void }
}

const CHANNEL = 'changes'
/** In ms: events within this time share one message, so a thousand likes a second are fifty messages. */
const GATHER_MS = 20
const BEAT_MS = 1000
/** In ms: a node that is silent for this long without announcing its end counts as dead. */
const SILENT_MS = 4000
/** Items or other events of a message, at most 60 KB. */
const MOST_ITEMS = 200
/**
 * If more gather within GATHER_MS, nothing is sent: the other nodes then drop all caches, which costs them less.
 */
const MOST_GATHERED = 5000
const MOST_NODES = 1000
/** In ms: an unknown message is logged at most this often. */
const LOG_EVERY_MS = 60_000

/** Sends local events to the other nodes and publishes theirs here. Does nothing without a link. */
export async function openBus(
  link: RedisLink | null,
  { events, log, lag }: BusNeeds,
): Promise<Bus> {
  if (link === null) return { close: () => {} }
  const gathered = new Gathered()
  const nodeStates = new BoundedMap<string, NodeState>({ most: MOST_NODES })
  let number = 0
  let timer: NodeJS.Timeout | undefined
  let loggedAt = -Infinity

  const send = (list: readonly Event[], more: { readonly bye?: true } = {}) => {
    const message = { n: number, t: performance.now(), c: list, ...more }
    const attributes = { 'messaging.system': 'redis', 'messaging.batch.message_count': list.length }
    // The span's parent is whatever published the first event.
    const span = spanUnderWay()?.begin('publish changes', 'producer', attributes)
    const isSent = link.publish(CHANNEL, Buffer.from(JSON.stringify(message)))
    span?.end({ failed: !isSent })
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    for (const list of gathered.take()) {
      number += 1
      // If it is lost, the next beat reveals that.
      if (list !== 'too many') send(list)
    }
  }
  const dropAll = (why: string, node?: string) => {
    log.warn({ node }, `${why}: whatever is cached here is read again`)
    events.receive({ type: 'changes.missed' })
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
    const before = nodeStates.peek(from)?.number ?? 0
    if (message.isLast) nodeStates.delete(from)
    else nodeStates.set(from, { number: n, at: performance.now() })
    const isNext = n === before + (message.isBeat ? 0 : 1)
    if (!isNext) dropAll('changes of another node may have been missed', from)
    else if (!isWhole) dropAll('another node tells of what this version does not know', from)
    for (const event of list) events.receive(event)
  }

  /**
   * The time since which other nodes could be heard: not while Redis was unavailable, nor while this process was
   * suspended.
   */
  let hearingSince = performance.now()
  let lookedAt = hearingSince
  const findLost = () => {
    const now = performance.now()
    if (!link.isConnected() || now - lookedAt > 2 * BEAT_MS) hearingSince = now
    lookedAt = now
    if (now - hearingSince < SILENT_MS) return
    const lost = [...nodeStates.entries()].filter(([, { at }]) => now - at > SILENT_MS)
    for (const [node] of lost) {
      nodeStates.delete(node)
      dropAll('another node ended without a goodbye', node)
      events.receive({ type: 'node.lost' })
    }
  }

  events.subscribe((event, origin) => {
    if (origin === 'elsewhere' || !KINDS[event.type].sent) return
    gathered.add(event)
    timer ??= setTimeout(flush, GATHER_MS)
  })
  link.onBack(() => dropAll('Redis was away and other nodes were not heard'))
  await link.subscribe(CHANNEL, receive)
  // Sent at once, so that others notice this node's death even before its next beat.
  send([])
  const beat = setInterval(() => {
    send([])
    findLost()
  }, BEAT_MS).unref()
  return {
    close: () => {
      clearInterval(beat)
      if (timer !== undefined) flush()
      send([], { bye: true })
      link.unsubscribe(CHANNEL)
    },
  }
}

interface NodeState {
  /** The number of its last message. */
  readonly number: number
  /** When that arrived, by our clock. */
  readonly at: number
}

type Moved = Extract<Event, { readonly items: readonly ItemRef[] }>

/** Events that wait to be sent together; items with the same type are joined. */
class Gathered {
  readonly #items = new Map<Moved['type'], Map<string, ItemRef>>()
  #others: Event[] = []

  add(event: Event): void {
    if (!('items' in event)) {
      this.#others.push(event)
      return
    }
    const items = this.#items.get(event.type) ?? new Map<string, ItemRef>()
    this.#items.set(event.type, items)
    for (const item of event.items) items.set(`${item.kind} ${item.id}`, item)
  }

  /** Splits the events into parts that each fit into a message; too many are only counted. */
  take(): (readonly Event[] | 'too many')[] {
    const all: Event[] = this.#others
    const parts: (readonly Event[] | 'too many')[] = []
    for (const [type, items] of this.#items) {
      const list = [...items.values()]
      if (list.length > MOST_GATHERED) parts.push('too many')
      else
        for (let place = 0; place < list.length; place += MOST_ITEMS)
          parts.push([{ type, items: list.slice(place, place + MOST_ITEMS) }])
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
