/** Sends reads that fail on a replica once more to the primary, which is safe because they change nothing. */
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'

/** SQLSTATE of a statement that exceeded its timeout: it would take as long again. */
const TIMED_OUT = '57014'
/** SQLSTATEs of connections that the server closed. */
const CONNECTION_CLOSED = /^(?:08|57P)/

type Query = (text: unknown, values?: readonly unknown[]) => Promise<unknown>

/** Kysely passes a text with its values, or only a cursor. */
const queryOf = (client: PostgresPoolClient) => client.query.bind(client) as unknown as Query

/** Statements go to `first`, and to `second` if they fail there for a reason other than their timeout. */
export function withFallback(
  first: PostgresPool,
  second: PostgresPool,
  lose: () => void,
): PostgresPool {
  const askSecond: Query = async (text, values) => {
    const client = await second.connect()
    try {
      return await queryOf(client)(text, values)
    } finally {
      client.release()
    }
  }
  return {
    options: first.options,
    end: () => first.end(),
    connect: async () => {
      const client = await first.connect().catch(() => null)
      if (client === null) {
        lose()
        return second.connect()
      }
      const query: Query = async (text, values) => {
        try {
          return await queryOf(client)(text, values)
        } catch (error) {
          const code = error instanceof pg.DatabaseError ? (error.code ?? '') : null
          if (code === TIMED_OUT) throw error
          if (code === null || CONNECTION_CLOSED.test(code)) lose()
          return askSecond(text, values)
        }
      }
      return { query, release: () => client.release() } as unknown as PostgresPoolClient
    },
  }
}
