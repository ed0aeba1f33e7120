/**
 * Proves a live database and its files: that the books balance, that rights are purchases, that numbers are what they
 * count, that nothing refers to nothing. Each rule is one statement that finds only what is wrong. Nothing is written
 * but a temporary table, and memory does not grow with the database: rules name at most twenty ids each.
 */
import { sql } from 'kysely'
import type { AuditFinding, AuditGap } from '#contract/audit.ts'
import { BOOKS } from '#server/audit/rules/books.ts'
import { COUNTS } from '#server/audit/rules/counts.ts'
import { dropListing, fileRules, listFiles, type FileRule } from '#server/audit/rules/files.ts'
import { findReferences, findSequences, ORPHANS } from '#server/audit/rules/orphans.ts'
import { findRatingRule } from '#server/audit/rules/ratings.ts'
import { RIGHTS } from '#server/audit/rules/rights.ts'
import { stepName, type Rule } from '#server/audit/rules/rule.ts'
import type { Db, DbOrTx } from '#server/db/connect.ts'
import type { Storage } from '#server/files/storage.ts'

/** Ids that a finding names. */
const NAMED = 20
/** Files that are looked at again before they count as wrong; where there are more, something is wrong for sure. */
const LOOKED_AT_AGAIN = 200
/** For sorts and joins of one statement; hashes take twice as much. */
const WORK_MEMORY = '64MB'
/** SQLSTATE of a statement that ran out of its time, and of one that is not allowed. */
const OUT_OF_TIME = '57014'
const NOT_ALLOWED = '42501'

export interface AuditReport {
  /** What is wrong, a line for each rule that is broken; none when all is well. */
  readonly findings: readonly AuditFinding[]
  /** What could not be looked at; none when all was. */
  readonly unproved: readonly AuditGap[]
  /** Statements that were run. */
  readonly steps: number
}

export interface AuditNeeds {
  /** Its connections should have the limits of time of the work `audit` (server/db/pool.ts). */
  readonly db: Db
  readonly storage: Storage
}

export interface AuditOptions {
  /** People use the site meanwhile, so what its files lack is looked at twice; true unless given. */
  readonly isLive?: boolean
  readonly signal?: AbortSignal
  /** Called before each step with its name. */
  readonly hear?: (step: string) => void
}

/**
 * Proves all rules: the storage is listed first, then everything is read in one read-only transaction, so that all
 * rules see the same moment.
 * @throws what the database throws, but for statements that run out of their time: these are in `unproved`
 */
export function audit(
  { db, storage }: AuditNeeds,
  options: AuditOptions = {},
): Promise<AuditReport> {
  const { isLive = true, signal, hear } = options
  return db.connection().execute(async (session) => {
    try {
      hear?.('files')
      const unlisted = await tryListing(session, storage, { rest: 0, signal })
      const files = unlisted === null ? fileRules(isLive) : []
      const rules: readonly Rule[] = [...(await listRules(session)), ...files]
      const outcomes: Outcome[] = []
      await session
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (tx) => {
          await bound(tx)
          for (const rule of rules) {
            signal?.throwIfAborted()
            hear?.(stepName(rule))
            await sql`savepoint step`.execute(tx)
            const outcome = await prove(tx, rule)
            if (outcome.gap !== null) await sql`rollback to savepoint step`.execute(tx)
            outcomes.push(outcome)
          }
        })
      const seen = await lookAgain({ db: session, storage }, files, isLive ? outcomes : [])
      return summarise([
        ...(unlisted === null ? [] : [{ finding: null, gap: unlisted }]),
        ...(isLive ? seen : outcomes),
      ])
    } finally {
      // After a connection that was lost there is nothing to take away.
      await dropListing(session).catch(() => undefined)
    }
  })
}

/** What became of one rule; both null: it holds. */
export interface Outcome {
  readonly finding: AuditFinding | null
  readonly gap: AuditGap | null
}

/** Every rule but those about files. */
export async function listRules(db: DbOrTx): Promise<Rule[]> {
  return [
    ...BOOKS,
    ...RIGHTS,
    ...COUNTS,
    await findRatingRule(db),
    ...ORPHANS,
    await findSequences(db),
    ...(await findReferences(db)),
  ]
}

/** Proves one rule in a transaction of its own, which reads one moment. `isGentle`: on one core at most. */
export function proveAlone(db: Db, rule: Rule, isGentle = false): Promise<Outcome> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await bound(tx, isGentle)
      return prove(tx, rule)
    })
}

/**
 * Proves the rules about files, each alone, as `proveAlone` does.
 * @throws what the database throws, and the reason of the signal
 */
export function proveFiles(
  { db, storage }: AuditNeeds,
  pace: Parameters<typeof listFiles>[2],
): Promise<Outcome[]> {
  return db.connection().execute(async (session) => {
    try {
      const unlisted = await tryListing(session, storage, pace)
      if (unlisted !== null) return [{ finding: null, gap: unlisted }]
      const rules = fileRules(true)
      const outcomes: Outcome[] = []
      for (const rule of rules) outcomes.push(await proveAlone(session, rule, true))
      return await lookAgain({ db: session, storage }, rules, outcomes)
    } finally {
      await dropListing(session).catch(() => undefined)
    }
  })
}

/** Joins what became of all rules; the parts of one rule are one finding. */
export function summarise(outcomes: readonly Outcome[]): AuditReport {
  const findings = new Map<string, AuditFinding>()
  for (const { finding } of outcomes) {
    if (finding === null) continue
    const { rule, what, count, ids } = finding
    const before = findings.get(rule)
    findings.set(rule, {
      rule,
      what,
      count: count + (before?.count ?? 0),
      ids: [...(before?.ids ?? []), ...ids].slice(0, NAMED),
    })
  }
  return {
    findings: [...findings.values()],
    unproved: outcomes.flatMap(({ gap }) => gap ?? []),
    steps: outcomes.length,
  }
}

/** What one statement may take. Plans for many rows are not worth compiling machine code for at sizes of ours. */
async function bound(tx: DbOrTx, isGentle = false): Promise<void> {
  await sql`select set_config('work_mem', ${WORK_MEMORY}, true), set_config('jit', 'off', true)`.execute(
    tx,
  )
  if (isGentle)
    await sql`select set_config('max_parallel_workers_per_gather', '0', true)`.execute(tx)
}

async function prove(tx: DbOrTx, rule: Rule): Promise<Outcome> {
  const { name, what, wrong } = rule
  try {
    // As many as may be looked at again; what is reported is cut afterwards.
    const { rows } = await sql<{ count: number; ids: string[] }>`
      with wrong as materialized (${wrong})
      select (select count(*) from wrong) as count,
        array(select id from wrong order by id limit ${sql.lit(LOOKED_AT_AGAIN)}) as ids`.execute(
      tx,
    )
    const { count, ids } = rows[0] ?? { count: 0, ids: [] }
    return { finding: count === 0 ? null : { rule: name, what, count, ids }, gap: null }
  } catch (error) {
    if (codeOf(error) !== OUT_OF_TIME) throw error
    const why = `${stepName(rule)} took longer than a statement may here`
    return { finding: null, gap: { rule: name, why } }
  }
}

/** Null when it is listed. */
async function tryListing(
  session: Db,
  storage: Storage,
  pace: Parameters<typeof listFiles>[2],
): Promise<AuditGap | null> {
  try {
    await listFiles(session, storage, pace)
    return null
  } catch (error) {
    pace.signal?.throwIfAborted()
    const code = codeOf(error)
    if (code === NOT_ALLOWED) {
      const why =
        'The role of DATABASE_URL may make no temporary table: grant temporary on database … to it'
      return { rule: 'strayFile', why }
    }
    // A fault of the database is not one of the storage.
    if (error instanceof Error && 'severity' in error) throw error
    const why = `The files could not be listed: ${error instanceof Error ? error.message : String(error)}`
    return { rule: 'strayFile', why }
  }
}

/** Leaves out what was right by the time that it was looked at again. */
async function lookAgain(
  { db, storage }: AuditNeeds,
  rules: readonly FileRule[],
  outcomes: readonly Outcome[],
): Promise<Outcome[]> {
  const seen: Outcome[] = []
  for (const outcome of outcomes) {
    const { finding } = outcome
    const rule = rules.find(({ name }) => name === finding?.rule)
    if (finding === null || rule === undefined) {
      seen.push(outcome)
      continue
    }
    const ids: string[] = []
    for (const id of finding.ids) if (await rule.isStillWrong(db, storage, id)) ids.push(id)
    const count = finding.count - (finding.ids.length - ids.length)
    seen.push({ ...outcome, finding: count === 0 ? null : { ...finding, count, ids } })
  }
  return seen
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : null
