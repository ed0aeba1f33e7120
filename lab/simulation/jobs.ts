/** Takes jobs from the queue as a worker does, but only when the schedule says so. */
import { sql } from 'kysely'
import { listSubscribers } from '#server/work.ts'
import { dispatchEvents } from '#server/platform/events/dispatching.ts'
import type { Db } from '#server/platform/db/connect.ts'
import type { Node } from './node.ts'

/** Jobs that need nothing but the database. The others use files, models or other servers. */
const SIMULATED = ['eraseRest', 'sendMail', 'tellFollowers', 'vanishComments', 'withdrawRatings']
const MOST_JOBS = 200

interface Taken {
  readonly id: number
  readonly name: string
  readonly payload: unknown
  readonly attempt: number
  readonly maxAttempts: number
}

/** Runs the first job that no worker has taken. Returns false if there is none. @throws what the job throws */
export async function runNextJob({ core: { db }, name: worker, jobs }: Node): Promise<boolean> {
  const taken = await takeJob(db, worker)
  if (taken === null) return false
  const { id, name, payload, ...attempts } = taken
  try {
    await jobs.get(name)?.run(payload, { ...attempts, signal: new AbortController().signal })
  } catch (error) {
    await sql`
      update graphile_worker._private_jobs set locked_at = null, locked_by = null where id = ${id}`.execute(
      db,
    )
    throw error
  }
  await sql`select graphile_worker.complete_jobs(array[${id}::bigint])`.execute(db)
  return true
}

/** Every job counts as due, because the clock of a simulation could always jump. */
async function takeJob(db: Db, worker: string): Promise<Taken | null> {
  const { rows } = await sql<Taken>`
    update graphile_worker._private_jobs j
    set locked_at = now(), locked_by = ${worker}, attempts = attempts + 1
    from graphile_worker._private_tasks t
    where t.id = j.task_id and j.id = (
      select waiting.id from graphile_worker._private_jobs waiting
      join graphile_worker._private_tasks kind on kind.id = waiting.task_id
      where waiting.locked_at is null and kind.identifier = any(${SIMULATED}::text[])
      order by waiting.id limit 1 for update of waiting skip locked
    )
    returning j.id, t.identifier as name, j.payload, j.attempts as attempt, j.max_attempts as "maxAttempts"`.execute(
    db,
  )
  return rows[0] ?? null
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
  for (let jobs = 0; jobs < MOST_JOBS;) {
    const before = jobs
    await dispatchEvents(node.core, listSubscribers(node.core))
    while (jobs < MOST_JOBS && (await runNextJob(node))) jobs += 1
    if (jobs === before) return true
  }
  return false
}
