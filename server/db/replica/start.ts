/** What is said of a replica before the process serves. */
import type pg from 'pg'
import type { ClientConfig } from 'pg'
import { openClient } from '#server/db/pool.ts'
import { judgeReplica, lookAt, sentenceOf } from '#server/db/replica/looks.ts'
import { DatabaseError } from '#server/db/settings.ts'
import { newId } from '#server/kernel/ids.ts'
import { createLog } from '#server/kernel/log.ts'

/**
 * Asks the replica what it is, after the primary was migrated. Answers a sentence when nothing will be read there for
 * now, null when all is well.
 * @throws DatabaseError when it belongs to another database: no waiting makes it ours; what the primary throws
 */
export async function checkReplica(
  replica: ClientConfig,
  primary: ClientConfig,
): Promise<string | null> {
  const known = await withClient(primary, async (client) => {
    const look = await lookAt(client, newId())
    return { system: look.system, newest: look.newest ?? '' }
  })
  try {
    const wrong = judgeReplica(
      await withClient(replica, (client) => lookAt(client, newId())),
      known,
    )
    if (wrong === 'stranger') throw new DatabaseError(sentenceOf(wrong))
    return wrong === null ? null : sentenceOf(wrong)
  } catch (error) {
    if (error instanceof DatabaseError) throw error
    return `${sentenceOf('away')} (${error instanceof Error ? error.message : String(error)})`
  }
}

async function withClient<Value>(
  settings: ClientConfig,
  work: (client: pg.Client) => Promise<Value>,
): Promise<Value> {
  // What it would log comes with what it throws.
  const client = await openClient(settings, createLog('silent'), 'beats')
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
