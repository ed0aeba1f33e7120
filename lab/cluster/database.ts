import { setTimeout as sleep } from 'node:timers/promises'
import { openClient } from '#server/platform/db/pool.ts'
import { createLog } from '#server/kernel/log.ts'
import { addressOf } from './network.ts'
import type { Site } from './part.ts'
import { PRIMARY_PORT, PROXY } from './parts/haproxy.ts'
import { SUPERUSER } from './parts/patroni.ts'
import { DATABASE, OWNER } from './parts/pgbouncer.ts'

const DATABASE_MS = 60_000
const AGAIN_MS = 300

/**
 * Creates the product's role and database once HAProxy has found the primary.
 * @throws Error if that takes too long
 */
export async function createDatabase({ network, password }: Site): Promise<void> {
  const statements = [
    `create role ${OWNER} login password '${password}'`,
    `create database ${DATABASE} owner ${OWNER}`,
    // Timeouts are set on the role, because requests share the pooler's sessions.
    `alter role ${OWNER} in database ${DATABASE} set statement_timeout = '10s'`,
    `alter role ${OWNER} in database ${DATABASE} set lock_timeout = '3s'`,
  ]
  const connection = {
    host: addressOf(network, PROXY),
    port: PRIMARY_PORT,
    user: SUPERUSER,
    database: 'postgres',
    password,
  }
  for (const end = Date.now() + DATABASE_MS; ; await sleep(AGAIN_MS)) {
    const client = await openClient(connection, createLog('silent'), 'migrations').catch(
      (error: unknown) => {
        if (Date.now() > end) throw error
        return null
      },
    )
    if (client === null) continue
    for (const statement of statements) await client.query(statement)
    await client.end()
    return
  }
}
