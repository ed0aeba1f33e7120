/** Takes jobs from the queue as a worker does, but only when the schedule says so. */
import { sql } from 'kysely'
import { listSubscribers } from '#server/work.ts'
import { dispatchEvents } from '#server/platform/events/dispatching.ts'
import type { Db } from '#server/platform/db/connect.ts'
import type { Node } from './node.ts'

/** Jobs that need nothing but the database. The others use files, models or other servers. */
const SIMULATED = ['eraseRest', 'sendMail', 'tellFollowers', 'vanishComments', 'withdrawRatings']
/** Jobs that are taken at once when a history ends, and how often. */
const MOST_JOBS = 100
const MOST_ROUNDS = 20

interface Taken {
  readonly id: number
  readonly name: string
  readonly payload: unknown
  readonly attempt: number
  readonly maxAttempts: number
}

/** Runs the first jobs that no worker has taken. Returns their number. @throws what a job throws */
export async function runNextJobs(
  { core: { db }, name: worker, jobs }: Node,
  most = 1,
): Promise<number> {
  const taken = await takeJobs(db, worker, most)
  const ids = taken.map(({ id }) => id)
  try {
    for (const { name, payload, attempt, maxAttempts } of taken)
      await jobs
        .get(name)
        ?.run(payload, { attempt, maxAttempts, signal: new AbortController().signal })
  } catch (error) {
    await sql`
      update graphile_worker._private_jobs set locked_at = null, locked_by = null where id = any(${ids})`.execute(
      db,
    )
    throw error
  }
  if (ids.length > 0) await sql`select graphile_worker.complete_jobs(${ids}::bigint[])`.execute(db)
  return ids.length
}

/** Every job counts as due, because the clock of a simulation could always jump. */
async function takeJobs(db: Db, worker: string, most: number): Promise<Taken[]> {
  const { rows } = await sql<Taken>`
    update graphile_worker._private_jobs j
    set locked_at = now(), locked_by = ${worker}, attempts = attempts + 1
    from graphile_worker._private_tasks t
    where t.id = j.task_id and j.id in (
      select waiting.id from graphile_worker._private_jobs waiting
      join graphile_worker._private_tasks kind on kind.id = waiting.task_id
      where waiting.locked_at is null and kind.identifier = any(${SIMULATED}::text[])
      order by waiting.id limit ${most} for update of waiting skip locked
    )
    returning j.id, t.identifier as name, j.payload, j.attempts as attempt, j.max_attempts as "maxAttempts"`.execute(
    db,
  )
  return rows.toSorted((one, other) => one.id - other.id)
}

/** Frees all jobs that were taken, as if their workers were dead. Those that live run them a second time. */
export async function freeJobs(db: Db): Promise<void> {
  await sql`
    update graphile_worker._private_jobs set locked_at = null, locked_by = null where locked_at is not null`.execute(
    db,
  )
}

/** Passes events on and runs jobs until nothing is left. Returns false if that doesn't end. */
export async function drain(node: Node): Promise<boolean> {
  await freeJobs(node.core.db)
  for (let rounds = 0; rounds < MOST_ROUNDS; rounds += 1) {
    await dispatchEvents(node.core, listSubscribers(node.core))
    if ((await runNextJobs(node, MOST_JOBS)) === 0) return true
  }
  return false
}
