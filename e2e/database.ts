/** What only time does, done in the database of a server that runs. */
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { openClient } from '#server/db/pool.ts'
import { createLog } from '#server/kernel/log.ts'

async function change(dataDir: string, statement: string, values: unknown[] = []): Promise<number> {
  // Joins the database that the server has started, and leaves it running.
  const { connection } = await startEmbedded({ dataDir })
  const client = await openClient(connection, createLog('silent'), 'requests')
  try {
    return (await client.query(statement, values)).rowCount ?? 0
  } finally {
    await client.end()
  }
}

/** Makes all sign-ins of a person a quarter of an hour old, and what they have confirmed since then. */
export async function ageSignIns(dataDir: string, personId: string): Promise<void> {
  const aged = await change(
    dataDir,
    `update sessions set created_at = created_at - interval '16 minutes',
       confirmed_at = confirmed_at - interval '16 minutes' where user_id = $1`,
    [personId],
  )
  if (aged === 0) throw new Error('there is no sign-in that could grow old')
}

/** Makes it seven in the morning of a person who has something to be told; false when they have nothing. */
export async function makeMorning(dataDir: string, personId: string): Promise<boolean> {
  const due = await change(
    dataDir,
    'update notice_digests set next_at = now() where user_id = $1 and next_at is not null',
    [personId],
  )
  await change(dataDir, `select graphile_worker.add_job('sendDigests')`)
  return due > 0
}
