import pg, { type ClientConfig } from 'pg'

/** In ms. */
const MOST_MS = 30_000

/** Asks the server, over a connection that is not simulated, who waits for a lock, and ends statements. */
export interface Locks {
  /** Returns those sessions that wait for a lock. */
  waiting(pids: readonly number[]): Promise<ReadonlySet<number>>
  cancel(pid: number): Promise<void>
  /** Signals sessions to end. A stopped one ends when it goes on. */
  terminate(pids: readonly number[]): Promise<void>
  /** Waits until these sessions have ended and their locks are free. */
  untilEnded(pids: readonly number[]): Promise<void>
  close(): Promise<void>
}

export async function openLocks(settings: ClientConfig): Promise<Locks> {
  const client = new pg.Client(settings)
  await client.connect()
  return {
    waiting: async (pids) => {
      const { rows } = await client.query<{ pid: number }>({
        name: 'waiting',
        text: 'select pid from pg_locks where not granted and pid = any($1::int[])',
        values: [pids],
      })
      return new Set(rows.map(({ pid }) => pid))
    },
    cancel: async (pid) => {
      await client.query('select pg_cancel_backend($1)', [pid])
    },
    terminate: async (pids) => {
      await client.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [pids])
    },
    untilEnded: async (pids) => {
      const end = performance.now() + MOST_MS
      const isLeft = async () => {
        const text = 'select from pg_stat_activity where pid = any($1::int[])'
        return (await client.query(text, [pids])).rows.length > 0
      }
      while (await isLeft()) if (performance.now() > end) throw new Error('a session does not end')
    },
    close: () => client.end(),
  }
}
