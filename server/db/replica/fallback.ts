/** Reads that fail on a replica are sent once more to the primary: nothing is done twice by reading. */
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'

/** SQLSTATE of a statement that took too long: it would take as long again. */
const TOO_LONG = '57014'
/** Of connections that the server ends. */
const SHUT = /^(?:08|57P)/

type Query = (text: unknown, values?: readonly unknown[]) => Promise<unknown>

/** Kysely passes a text with its values, or a cursor alone. */
const queryOf = (client: PostgresPoolClient) => client.query.bind(client) as unknown as Query

/** Readers of `first`, whose statements go to `second` where they fail there for another reason than their length. */
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
          if (code === TOO_LONG) throw error
          if (code === null || SHUT.test(code)) lose()
          return askSecond(text, values)
        }
      }
      return { query, release: () => client.release() } as unknown as PostgresPoolClient
    },
  }
}
