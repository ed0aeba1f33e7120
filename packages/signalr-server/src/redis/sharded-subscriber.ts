/**
 * Subscribes to the sharded channels of a cluster. Each channel is subscribed at the node that owns its slot, over
 * a separate connection. Channels follow when slots move. Messages may be lost meanwhile, so a move is reported
 * like an interruption.
 */
import type { Cluster, Redis } from 'ioredis'
import { slotOf } from './slots.ts'
import {
  createSubscriber,
  LISTENS,
  type Listener,
  type Look,
  type Subscriber,
} from './subscriber.ts'

interface Wanted {
  readonly slot: number
  readonly listener: Listener
  /** The node of the subscription as `host:port`. Undefined until the cluster is known. */
  at: string | undefined
}

/** Longest pause between two attempts to reach a node, in ms. */
const LONGEST_PAUSE_MS = 500
const FIRST_PAUSE_MS = 50
const pauseBefore = (attempt: number) => Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * attempt)

/** `cluster` provides the slots. It stays open when the subscriber closes. */
export function createShardedSubscriber(cluster: Cluster, look: Look): Subscriber {
  const wanted = new Map<string, Wanted>()
  const nodes = new Map<string, Subscriber>()
  let moving = 0

  const ownerOf = (slot: number) => cluster.slots[slot]?.[0]
  const open = (name: string): Subscriber | undefined => {
    const known = nodes.get(name)
    if (known !== undefined) return known
    const connection = connectTo(cluster, name)
    if (connection === undefined) return undefined
    const made = createSubscriber(connection, look, 'sharded')
    nodes.set(name, made)
    return made
  }
  const settle = async (channel: string, entry: Wanted) => {
    const owner = ownerOf(entry.slot)
    if (owner === undefined || owner === entry.at) return
    if (entry.at !== undefined) nodes.get(entry.at)?.ignore(channel)
    const node = open(owner)
    entry.at = node === undefined ? undefined : owner
    await node?.listen(channel, entry.listener)
  }
  /** After a change of the cluster, moves every channel to the node that now owns its slot. */
  const settleAll = async () => {
    const moved = [...wanted].filter(([, { slot, at }]) => (ownerOf(slot) ?? at) !== at)
    if (moved.length === 0) return
    moving += 1
    if (moved.some(([, { at }]) => at !== undefined)) look(new Error('the cluster has changed'))
    await Promise.all(moved.map(([channel, entry]) => settle(channel, entry)))
    const used = new Set([...wanted.values()].map(({ at }) => at))
    for (const [name, subscriber] of nodes) {
      if (used.has(name)) continue
      nodes.delete(name)
      subscriber.close()
    }
    moving -= 1
    look()
  }
  cluster.on('ready', () => void settleAll())
  cluster.on('refresh', () => void settleAll())

  return {
    isSubscribed: () =>
      moving === 0 &&
      [...wanted.values()].every(({ at }) => at !== undefined) &&
      [...nodes.values()].every((node) => node.isSubscribed()),
    listen: async (channel, listener) => {
      const at = wanted.get(channel)?.at
      if (at !== undefined) nodes.get(at)?.ignore(channel)
      const entry: Wanted = { slot: slotOf(channel), listener, at: undefined }
      wanted.set(channel, entry)
      await settle(channel, entry)
    },
    ignore: (channel) => {
      const at = wanted.get(channel)?.at
      wanted.delete(channel)
      if (at !== undefined) nodes.get(at)?.ignore(channel)
    },
    ping: () => {
      for (const node of nodes.values()) node.ping()
    },
    close: () => {
      for (const node of nodes.values()) node.close()
    },
  }
}

/**
 * Opens a subscribing connection to the node `host:port` with the cluster's credentials and TLS, or returns
 * undefined while no node is known.
 */
function connectTo(cluster: Cluster, name: string): Redis | undefined {
  const colon = name.lastIndexOf(':')
  const [host, port] = [name.slice(0, colon), Number(name.slice(colon + 1))]
  const [sample] = cluster.nodes()
  return sample?.duplicate({
    ...LISTENS,
    // The connections of a cluster client don't reconnect by themselves; these do.
    retryStrategy: pauseBefore,
    readOnly: false,
    host,
    port,
  })
}
