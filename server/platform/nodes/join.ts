/** Connects a process, serving or working, with the others at its database: bus, heartbeat and health parts. */
import { hostname } from 'node:os'
import type { Db } from '#server/platform/db/connect.ts'
import type { Core } from '#server/platform/core/core.ts'
import type { HealthPart } from '#server/kernel/process/health.ts'
import { openBus } from '#server/platform/nodes/bus.ts'
import { createHeartbeat } from '#server/platform/nodes/heartbeat.ts'
import type { NodesLink } from '#server/platform/nodes/redis.ts'

export interface Joined {
  /** For `/readyz`: Redis if configured, and differences between the processes. */
  readonly parts: readonly HealthPart[]
  /** Announces this process in the database. Resolves after reading the other rows once. */
  start(): Promise<void>
  /** Sends waiting changes and announces the end of this process. */
  close(): Promise<void>
}

interface JoinOptions {
  readonly role: 'serves' | 'works'
  /** Null without REDIS_URL: other processes then see changes when their caches expire. */
  readonly nodes: NodesLink | null
  /** For the heartbeat: not a pool that requests wait for. */
  readonly db: Db
  /** Seconds from sending to receiving on the bus. */
  readonly lag: { set(seconds: number): void }
}

/** Joins the bus at once, and the table of processes with `start`. An unavailable Redis is no error. */
export async function joinNodes(
  core: Pick<Core, 'events' | 'log' | 'publicUrl' | 'secrets'>,
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

/** Names a process that nobody connects to. */
export const workerName = (): string => `${hostname()}, process ${process.pid}`
