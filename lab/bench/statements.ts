import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg, { type ClientConfig } from 'pg'
import type { Db } from '#server/platform/db/connect.ts'
import type { DB } from '#server/platform/db/types.gen.ts'

/** Without a name the statement is planned at each execution, as in the product. */
export interface Statement {
  readonly name: string | null
  readonly text: string
  readonly values: readonly unknown[]
}

export interface Recorder {
  /** Runs `work` and returns the statements that it sent. */
  record(work: (db: Db) => Promise<unknown>): Promise<Statement[]>
  close(): Promise<void>
}

/** Runs the product's code on separate connections and records every statement. */
export function createRecorder(connection: ClientConfig): Recorder {
  let taken: Statement[] = []
  const pool = new pg.Pool({ ...connection, max: 4 })
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      taken.push({ name: nameOf(query.sql), text: query.sql, values: query.parameters })
    },
  })
  return {
    record: async (work) => {
      taken = []
      await work(db)
      return taken
    },
    close: () => db.destroy(),
  }
}

function nameOf(text: string): string | null {
  return text.startsWith('/* custom plan */')
    ? null
    : createHash('sha1').update(text).digest('base64url').slice(0, 20)
}
