/** Several connections that share work: a free one takes the task that has waited longest. */
import { availableParallelism, totalmem } from 'node:os'
import type pg from 'pg'
import type { ClientConfig } from 'pg'
import { setSearchPath } from '#server/operate/backup/filling/stage.ts'
import { openClient } from '#server/platform/db/pool.ts'
import type { Log } from '#server/kernel/log.ts'

/** As many as this machine's cores within these bounds; the database may be on another machine. */
const FEWEST = 2
const MOST = 4
/** maintenance_work_mem of each lane in MB: more saves little, and all lanes together take a multiple of it. */
const MOST_MB = 256
const LEAST_MB = 32
/** All lanes together take no more than this fraction of the machine's memory. */
const SHARE = 16
/** Parallel workers per lane: they keep all cores busy while only one large index is left. */
const PARALLEL_WORKERS = 1

export interface Lanes {
  /** Backend process ids. */
  readonly processes: readonly number[]
  /** Number of completed statements. */
  readonly done: number
  /** Runs these one after the other; urgent ones before all waiting ones. @throws errors of the database */
  run(statements: readonly string[], options?: { readonly isUrgent?: boolean }): Promise<void>
  close(): Promise<void>
  /** Closes the sockets; waiting and running work fails with this reason. */
  destroy(reason: unknown): void
}

interface Work {
  readonly statements: readonly string[]
  readonly end: PromiseWithResolvers<void>
}

/** `searchPath` selects the tables. */
export async function openLanes(
  connection: ClientConfig,
  log: Log,
  searchPath: string,
): Promise<Lanes> {
  const count = Math.min(MOST, Math.max(FEWEST, availableParallelism()))
  const opened = await Promise.allSettled(
    Array.from({ length: count }, () => openLane(connection, log, searchPath)),
  )
  const lanes = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const refused = opened.find((one) => one.status === 'rejected')
  // A server with few free connections may accept only some of them.
  if (lanes.length === 0 && refused !== undefined) throw refused.reason
  const clients = lanes.map(({ client }) => client)
  const free = [...clients]
  const waiting: Work[] = []
  const underWay = new Set<Work>()
  let done = 0
  const next = () => {
    const [client] = free
    const work = client === undefined ? undefined : waiting.shift()
    if (client === undefined || work === undefined) return
    free.shift()
    underWay.add(work)
    const finished = (async () => {
      for (const statement of work.statements) {
        await client.query(statement)
        done += 1
      }
    })()
    const settled = finished.then(
      () => work.end.resolve(),
      (error: unknown) => work.end.reject(error),
    )
    void settled.finally(() => {
      underWay.delete(work)
      free.push(client)
      next()
    })
  }
  return {
    processes: lanes.map(({ pid }) => pid),
    get done() {
      return done
    },
    run: async (statements, { isUrgent = false } = {}) => {
      if (statements.length === 0) return
      const work = { statements, end: Promise.withResolvers<void>() }
      if (isUrgent) waiting.unshift(work)
      else waiting.push(work)
      next()
      await work.end.promise
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.end()))
    },
    destroy: (reason) => {
      for (const { end } of [...waiting.splice(0), ...underWay]) end.reject(reason)
      for (const client of clients) client.connection.stream.destroy()
    },
  }
}

async function openLane(
  connection: ClientConfig,
  log: Log,
  searchPath: string,
): Promise<{ client: pg.Client; pid: number }> {
  const client = await openClient(connection, log, 'migrations')
  const memory = Math.floor(totalmem() / SHARE / MOST / 1024 / 1024)
  await client.query(
    `set maintenance_work_mem = '${Math.min(MOST_MB, Math.max(LEAST_MB, memory))}MB';
     set max_parallel_maintenance_workers = ${PARALLEL_WORKERS}; set synchronous_commit = off`,
  )
  await setSearchPath(client, searchPath)
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return { client, pid: rows[0]?.pid ?? 0 }
}
