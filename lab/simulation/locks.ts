import pg, { type ClientConfig } from 'pg'

/** Asks the server, over a connection that is not simulated, who waits for a lock, and ends statements. */
export interface Locks {
  /** Returns those sessions that wait for a lock. */
  waiting(pids: readonly number[]): Promise<ReadonlySet<number>>
  cancel(pid: number): Promise<void>
  /** Ends all other sessions of this database. */
  endOthers(): Promise<void>
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
    endOthers: async () => {
      await client.query(`
        select pg_terminate_backend(pid, 10000) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
    },
    close: () => client.end(),
  }
}
