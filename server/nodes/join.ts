/** What joins a process to the others at its database, whether it serves or works: bus, heartbeat, words of `/readyz`. */
import { hostname } from 'node:os'
import type { Db } from '#server/db/connect.ts'
import type { Core } from '#server/kernel/core.ts'
import type { HealthPart } from '#server/kernel/process/health.ts'
import { openBus } from '#server/nodes/bus.ts'
import { createHeartbeat } from '#server/nodes/heartbeat.ts'
import type { NodesLink } from '#server/nodes/redis.ts'

export interface Joined {
  /** For `/readyz`: Redis where there is one, and what differs between the processes. */
  readonly parts: readonly HealthPart[]
  /** Tells the others in the database that this process is there. Resolves when it has looked at them once. */
  start(): Promise<void>
  /** Sends what the others have not received yet, and takes its leave of them. */
  close(): Promise<void>
}

interface JoinOptions {
  readonly role: 'serves' | 'works'
  /** Null without REDIS_URL: then the others see what changes here when their caches grow old. */
  readonly nodes: NodesLink | null
  /** For the heartbeat: no connection that people wait for. */
  readonly db: Db
  /** Seconds from sending to receiving on the bus. */
  readonly lag: { set(seconds: number): void }
}

/** Joins the bus from now on, and the table of processes with `start`. Never fails for a Redis that is away. */
export async function joinNodes(
  core: Pick<Core, 'changes' | 'log' | 'publicUrl' | 'secrets'>,
  { role, nodes, db, lag }: JoinOptions,
): Promise<Joined> {
  const bus = await openBus(nodes?.link ?? null, { ...core, lag })
  const url = nodes?.nodeUrl ?? (role === 'works' ? workerName() : core.publicUrl)
  const heartbeat = createHeartbeat({ ...core, db }, { role, url })
  return {
    parts: [...(nodes === null ? [] : [nodes.part]), heartbeat.part],
    start: () => heartbeat.start(),
    close: async () => {
      bus.close()
      await heartbeat.close()
    },
  }
}

/** How a process that nobody calls is known to people. */
export const workerName = (): string => `${hostname()}, process ${process.pid}`
