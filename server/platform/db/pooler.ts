/**
 * Detects a pooler in front of the database: one that assigns a connection per transaction loses session state.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { ClientConfig } from 'pg'
import { openPool } from '#server/platform/db/pool.ts'
import { createLog } from '#server/kernel/log.ts'

export interface Pooler {
  /** Two transactions of one connection may run in two sessions of the server. */
  readonly mixesSessions: boolean
  /** A named statement may be missing in the next transaction. */
  readonly losesNames: boolean
}

/** invalid_sql_statement_name, and duplicate_prepared_statement of another client. */
const LOST = new Set(['26000', '42P05'])

/**
 * Uses two connections: the first names a statement; the second begins a transaction and so takes the session that
 * has just become free, if sessions are shared; then the first runs its statement again. Sets nothing in the
 * sessions, because they may belong to others.
 * @throws errors of the connections
 */
export async function probePooler(settings: ClientConfig): Promise<Pooler> {
  const pool = openPool(settings, createLog('silent'), { work: 'beats', size: 2, pooled: true })
  // The name is unique, because another client's statement may still exist.
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
        // If both share one session, the first would wait for the end of this transaction.
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
