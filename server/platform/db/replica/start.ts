import type pg from 'pg'
import type { ClientConfig } from 'pg'
import { openClient } from '#server/platform/db/pool.ts'
import { judgeReplica, lookAt, sentenceOf } from '#server/platform/db/replica/looks.ts'
import { DatabaseError } from '#server/platform/db/settings.ts'
import { newId } from '#server/kernel/ids.ts'
import { createLog } from '#server/kernel/log.ts'

/**
 * Checks the replica after the primary was migrated. Returns a sentence when it can't be used for now, or null.
 * @throws DatabaseError when it belongs to another database, which waiting can't fix; errors of the primary
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
  // Its log would repeat what it throws.
  const client = await openClient(settings, createLog('silent'), 'beats')
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
