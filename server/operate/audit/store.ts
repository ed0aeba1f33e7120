/** The only module that writes the table of nightly audits. */
import { sql } from 'kysely'
import type { AuditRun } from '#contract/audit.ts'
import { summarise, type Outcome } from '#server/operate/audit/audit.ts'
import type { DbOrTx } from '#server/platform/db/connect.ts'

/** Days for which results are stored. */
const STORED_DAYS = 90
/** Seconds after which another process may repeat a step. The owner renews its claim meanwhile. */
const CLAIM_SECONDS = 300

const claimEnd = sql`now() + make_interval(secs => ${sql.lit(CLAIM_SECONDS)})`

export interface Claimed {
  /** The UTC day on which it was due, which identifies it. */
  readonly night: string
  readonly done: readonly string[]
}

/** Starts the audit of a night if necessary, and deletes old ones. */
export async function beginRun(db: DbOrTx, night: string, now: Date): Promise<void> {
  await sql`
    insert into audit_runs (night, began_at, due_at) values (${night}, ${now}, ${now}) on conflict do nothing`.execute(
    db,
  )
  await sql`delete from audit_runs where night < ${night}::date - ${sql.lit(STORED_DAYS)}`.execute(
    db,
  )
}

/** Claims the next step of the newest unfinished audit. Returns null if there is none or it is not due yet. */
export async function claimRun(db: DbOrTx, now: Date): Promise<Claimed | null> {
  const { rows } = await sql<Claimed>`
    update audit_runs set claimed_until = ${claimEnd}
    where night = (select max(night) from audit_runs) and finished_at is null and due_at <= ${now}
      and (claimed_until is null or claimed_until < now())
    returning night, done`.execute(db)
  return rows[0] ?? null
}

export async function renewClaim(db: DbOrTx, night: string): Promise<void> {
  await sql`update audit_runs set claimed_until = ${claimEnd} where night = ${night}`.execute(db)
}

/** Releases the claim, so that any process may continue immediately. */
export async function releaseRun(db: DbOrTx, night: string): Promise<void> {
  await sql`update audit_runs set claimed_until = null where night = ${night}`.execute(db)
}

export interface Step {
  readonly name: string
  readonly outcomes: readonly Outcome[]
  readonly ms: number
  readonly dueAt: Date
}

/** Stores a finished step and releases the claim. */
export async function noteStep(db: DbOrTx, night: string, step: Step): Promise<void> {
  const { name, outcomes, ms, dueAt } = step
  const reported = outcomes.filter(({ finding, gap }) => finding !== null || gap !== null)
  await sql`
    update audit_runs set done = done || ${[name]}::text[], spent_ms = spent_ms + ${Math.round(ms)}::bigint,
      outcomes = outcomes || ${JSON.stringify(reported)}::jsonb, due_at = ${dueAt}, claimed_until = null
    where night = ${night}`.execute(db)
}

/** Marks the audit as finished and returns its result. */
export async function finishRun(db: DbOrTx, night: string, now: Date): Promise<AuditRun | null> {
  const { rows } = await sql<RunRow>`
    update audit_runs set finished_at = ${now}, claimed_until = null where night = ${night} returning ${columns}`.execute(
    db,
  )
  return rows[0] === undefined ? null : toRun(rows[0])
}

interface RunRow {
  readonly began_at: Date
  readonly finished_at: Date | null
  readonly steps: number
  readonly spent_ms: number
  readonly outcomes: readonly Outcome[]
}

const columns = sql`began_at, finished_at, cardinality(done) as steps, spent_ms, outcomes`

/** Returns the last finished audit and the one in progress. */
export async function findRuns(
  db: DbOrTx,
): Promise<{ last: AuditRun | null; underWay: AuditRun | null }> {
  const { rows } = await sql<RunRow>`
    (select ${columns} from audit_runs where finished_at is not null order by night desc limit 1)
    union all
    (select ${columns} from audit_runs where night = (select max(night) from audit_runs) and finished_at is null)`.execute(
    db,
  )
  const runs = rows.map(toRun)
  return {
    last: runs.find(({ finished }) => finished !== null) ?? null,
    underWay: runs.find(({ finished }) => finished === null) ?? null,
  }
}

function toRun({ began_at, finished_at, steps, spent_ms, outcomes }: RunRow): AuditRun {
  const { findings, unproved } = summarise(outcomes)
  return {
    began: began_at.toISOString(),
    finished: finished_at?.toISOString() ?? null,
    steps,
    spentMs: spent_ms,
    findings: [...findings],
    unproved: [...unproved],
  }
}
