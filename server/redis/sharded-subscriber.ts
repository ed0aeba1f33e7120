/**
 * Listens to the sharded channels of a cluster: each at the node that has its slot, over a connection of its own to
 * that node. When the cluster changes its shape, channels move along; between two nodes something may be missed, and
 * that is reported like an interruption.
 */
import calculateSlot from 'cluster-key-slot'
import type { Cluster } from 'ioredis'
import { openRedisNode } from '#server/redis/client.ts'
import type { RedisSettings } from '#server/redis/settings.ts'
import {
  createSubscriber,
  type Listener,
  type Look,
  type Subscriber,
} from '#server/redis/subscriber.ts'

interface Wanted {
  readonly slot: number
  readonly listener: Listener
  /** The node that it is listened to at, as `host:port`; undefined until the cluster is known. */
  at: string | undefined
}

/** `cluster`: says where the slots are; its closing is left to who opened it. */
export function createShardedSubscriber(
  cluster: Cluster,
  settings: RedisSettings,
  look: Look,
): Subscriber {
  const wanted = new Map<string, Wanted>()
  const nodes = new Map<string, Subscriber>()
  let moving = 0

  const ownerOf = (slot: number) => cluster.slots[slot]?.[0]
  const open = (name: string): Subscriber => {
    const known = nodes.get(name)
    if (known !== undefined) return known
    const colon = name.lastIndexOf(':')
    const address = { host: name.slice(0, colon), port: Number(name.slice(colon + 1)) }
    const made = createSubscriber(openRedisNode(settings, address), look, 'sharded')
    nodes.set(name, made)
    return made
  }
  const settle = async (channel: string, entry: Wanted) => {
    const owner = ownerOf(entry.slot)
    if (owner === undefined || owner === entry.at) return
    if (entry.at !== undefined) nodes.get(entry.at)?.ignore(channel)
    entry.at = owner
    await open(owner).listen(channel, entry.listener)
  }
  /** After a change of the cluster: every channel goes to the node that has its slot now. */
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
      const entry: Wanted = { slot: calculateSlot(channel), listener, at: undefined }
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
