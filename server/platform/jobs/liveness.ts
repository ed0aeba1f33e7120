/**
 * Detects dead workers. The queue locks a job for the process that runs it; if that is killed, the lock stays, and
 * the queue itself waits four hours. So each process holds an advisory lock under its name in the queue, which
 * ends with its session, and every process frees the jobs of names without a lock.
 */
import type { EventEmitter } from 'node:events'
import type { WorkerPool } from 'graphile-worker'
import type { Client, ClientConfig } from 'pg'
import { openClient } from '#server/platform/db/pool.ts'
import { startKeepalive } from '#server/platform/db/wire.ts'
import type { Log } from '#server/kernel/log.ts'
import { LOCK_SPACES } from '#server/platform/db/locks.ts'

export interface WatchTimes {
  readonly everySeconds: number
  /** A worker that has just started may not hold its lock yet. */
  readonly youngSeconds: number
}
const TIMES: WatchTimes = { everySeconds: 10, youngSeconds: 5 }
const RETRY_MS = 1000

export interface Liveness {
  /** The runner has ended: gives up its name. */
  forget(): void
  /** Frees the jobs that this process still holds for others at once. */
  giveBack(): Promise<void>
  stop(): Promise<void>
}

/** Follows the workers of this process by the events of its runner. */
export function holdLiveness(
  connection: ClientConfig,
  events: EventEmitter,
  log: Log,
  { everySeconds, youngSeconds }: WatchTimes = TIMES,
): Liveness {
  let name: string | null = null
  let client: Client | null = null
  let turn = Promise.resolve()
  let retry: NodeJS.Timeout | undefined

  /**
   * Runs steps one after the other on one connection. A failed step is retried with the next round; if its
   * connection failed, after a second, because the name isn't locked without it.
   */
  const inTurn = (step: () => Promise<void>) => {
    turn = turn.then(step).catch((error: unknown) => {
      log.warn({ err: error }, 'the watch over workers failed')
      if (client === null) return
      void client.end().catch(() => undefined)
      client = null
      clearTimeout(retry)
      retry = setTimeout(round, RETRY_MS).unref()
    })
  }
  const open = async (): Promise<Client> => {
    if (client !== null) return client
    const opened = await openClient(connection, log, 'jobs')
    startKeepalive(opened)
    // Reconnects at once, because meanwhile others would treat these jobs as those of a dead process.
    opened.on('error', () => {
      if (client !== opened) return
      client = null
      round()
    })
    client = opened
    if (name !== null) await take(opened, name)
    return opened
  }
  const round = () => inTurn(async () => freeJobs(await open(), youngSeconds, log))

  events.on('pool:create', ({ workerPool: { id } }: { workerPool: WorkerPool }) => {
    name = id
    inTurn(async () => {
      if (client === null) await open()
      else await take(client, id)
    })
  })
  const first = setTimeout(round, youngSeconds * 1000 + 500).unref()
  const timer = setInterval(round, everySeconds * 1000).unref()
  return {
    forget: () => {
      name = null
      inTurn(async () => {
        await client?.query('select pg_advisory_unlock_all()')
      })
    },
    giveBack: async () => {
      const worker = name
      if (worker !== null)
        inTurn(async () => {
          const free = 'select graphile_worker.force_unlock_workers($1)'
          await (await open()).query(free, [[worker]])
        })
      await turn
    },
    stop: async () => {
      for (const planned of [first, timer, retry]) clearTimeout(planned)
      await turn
      // A failure in the meantime must not open a connection that nobody closes.
      clearTimeout(retry)
      await client?.end()
    },
  }
}

async function take(client: Client, name: string): Promise<void> {
  await client.query('select pg_try_advisory_lock($1, hashtext($2))', [LOCK_SPACES.workers, name])
}

async function freeJobs(client: Client, youngSeconds: number, log: Log): Promise<void> {
  const { rows } = await client.query<{ worker: string }>(
    `select distinct j.locked_by as worker from graphile_worker.jobs j
     where j.locked_by is not null and j.locked_at < now() - make_interval(secs => $2)
       and not exists (
         select from pg_locks l
         where l.locktype = 'advisory' and l.database = (select oid from pg_database where datname = current_database())
           and l.classid = $1 and l.objsubid = 2 and l.objid = hashtext(j.locked_by)::bit(32)::bigint::oid
       )`,
    [LOCK_SPACES.workers, youngSeconds],
  )
  if (rows.length === 0) return
  const workers = rows.map(({ worker }) => worker)
  await client.query('select graphile_worker.force_unlock_workers($1)', [workers])
  log.warn({ workers }, 'jobs of workers that are gone are free again')
}
