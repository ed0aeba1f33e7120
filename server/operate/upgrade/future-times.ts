/**
 * Repairs times that a wrong clock of the database's machine set into the future: leases, waits and runs would
 * block for as long as it was ahead. Every start runs it.
 */
import type pg from 'pg'
import type { Log } from '#server/kernel/log.ts'

interface Column {
  readonly table: string
  readonly column: string
  /** How far ahead of now the time may be, and what it is set to. */
  readonly most: string
}

/** Times that block something. Dates of people's content stay as they are. */
const COLUMNS: readonly Column[] = [
  { table: 'audit_runs', column: 'began_at', most: '0' },
  { table: 'audit_runs', column: 'due_at', most: '1 hour' },
  { table: 'audit_runs', column: 'claimed_until', most: '1 hour' },
  { table: 'backup_runs', column: 'began_at', most: '0' },
  { table: 'events', column: 'due_at', most: '1 hour' },
  { table: 'letter_attempts', column: 'at', most: '0' },
  { table: 'login_failures', column: 'last_at', most: '0' },
  { table: 'mails', column: 'claimed_until', most: '1 hour' },
  { table: 'mails', column: 'trying_since', most: '0' },
  { table: 'nodes', column: 'seen_at', most: '0' },
  { table: 'notice_digests', column: 'last_at', most: '0' },
  { table: 'notice_digests', column: 'next_at', most: '2 days' },
  { table: 'pictures', column: 'look_at', most: '40 days' },
  { table: 'uploads', column: 'held_until', most: '1 minute' },
  { table: 'webhook_endpoints', column: 'failing_since', most: '0' },
]

/** A clock may normally be off by this much. */
const TOLERANCE = '1 minute'

/**
 * Corrects such times, and those of jobs queued in the future; returns how many. Locks nothing if there are none.
 */
export async function repairFutureTimes(
  pool: Pick<pg.Pool, 'query'>,
  log: Pick<Log, 'warn'>,
): Promise<number> {
  let repaired = 0
  const run = async (what: string, statement: string) => {
    const { rowCount } = await pool.query(statement)
    if (rowCount === null || rowCount === 0) return
    repaired += rowCount
    log.warn({ what, rows: rowCount }, 'times in the future were set back: a clock was ahead')
  }
  for (const { table, column, most } of COLUMNS)
    await run(
      `${table}.${column}`,
      `update ${table} set ${column} = now() + interval '${most}'
       where ${column} > now() + interval '${most}' + interval '${TOLERANCE}'`,
    )
  // Only the newest night counts, so one in the future would prevent audits for a while.
  await run(
    'audit_runs.night',
    `delete from audit_runs where night > (now() at time zone 'UTC')::date`,
  )
  await run(
    'mails.send_after',
    `update mails set send_after = send_after - (created_at - now()), created_at = now()
     where state <> 'sent' and created_at > now() + interval '${TOLERANCE}'`,
  )
  // A job's run_at is as far ahead as the clock was when it was queued.
  await run(
    'jobs.run_at',
    `update graphile_worker._private_jobs
     set run_at = run_at - (created_at - now()), created_at = now(), updated_at = now()
     where locked_at is null and created_at > now() + interval '${TOLERANCE}'`,
  )
  await run(
    'jobs.locked_at',
    `update graphile_worker._private_jobs set locked_at = now()
     where locked_at > now() + interval '${TOLERANCE}'`,
  )
  await run(
    'crontabs.last_execution',
    `update graphile_worker._private_known_crontabs
     set last_execution = null, known_since = least(known_since, now())
     where last_execution > now() + interval '${TOLERANCE}' or known_since > now() + interval '${TOLERANCE}'`,
  )
  return repaired
}
