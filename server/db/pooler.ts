/** What stands before the database: a pooler that gives each transaction any connection loses what belongs to one. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { ClientConfig } from 'pg'
import { openPool } from '#server/db/pool.ts'
import { createLog } from '#server/kernel/log.ts'

export interface Pooler {
  /** Two transactions of one connection may meet two sessions of the server. */
  readonly mixesSessions: boolean
  /** A statement that was given a name is not found by it in the next transaction. */
  readonly losesNames: boolean
}

/** "prepared statement … does not exist", and "… already exists", which is another's. */
const LOST = new Set(['26000', '42P05'])

/**
 * Finds out by two connections: the first names a statement, the second begins a transaction and so takes the session
 * that has just become free, if sessions are shared, and the first one asks for its statement again. Nothing is set in
 * the sessions, as they may be others'.
 * @throws what the connections throw
 */
export async function probePooler(settings: ClientConfig): Promise<Pooler> {
  const pool = openPool(settings, createLog('silent'), { work: 'beats', size: 2, pooled: true })
  // Another one's name may still be there.
  const name = `probe ${randomUUID()}`
  const sessionOf = async (client: pg.ClientBase) => {
    const text = 'select pg_backend_pid() as pid'
    return (await client.query<{ pid: number }>({ name, text, values: [] })).rows[0]?.pid
  }
  try {
    const first = await pool.connect()
    try {
      const before = await sessionOf(first)
      const second = await pool.connect()
      try {
        await second.query('begin')
        // With one session for both, the first would wait for the end of this transaction.
        const isOne = (await sessionOf(second)) === before
        const mixesSessions = isOne || (await sessionOf(first)) !== before
        return { mixesSessions, losesNames: false }
      } finally {
        second.release(true)
      }
    } finally {
      first.release(true)
    }
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? (error.code ?? '') : ''
    if (LOST.has(code)) return { mixesSessions: true, losesNames: true }
    throw error
  } finally {
    await pool.end()
  }
}
