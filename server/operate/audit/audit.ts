/**
 * Checks a live database and its files: balances, rights, counts and references. Each rule is one statement that
 * returns only violations. The audit writes nothing except a temporary table, and needs constant memory, because
 * rules return at most twenty ids each.
 */
import { sql } from 'kysely'
import type { AuditFinding, AuditGap } from '#contract/audit.ts'
import { BOOKS } from '#server/operate/audit/rules/books.ts'
import { COUNTS } from '#server/operate/audit/rules/counts.ts'
import {
  dropListing,
  fileRules,
  listFiles,
  type FileRule,
} from '#server/operate/audit/rules/files.ts'
import { findReferences, findSequences, ORPHANS } from '#server/operate/audit/rules/orphans.ts'
import { findRatingRule } from '#server/operate/audit/rules/ratings.ts'
import { RIGHTS } from '#server/operate/audit/rules/rights.ts'
import { stepName, type Rule } from '#server/operate/audit/rules/rule.ts'
import type { Db, DbOrTx } from '#server/platform/db/connect.ts'
import type { Storage } from '#server/platform/core/storage.ts'

/** Maximum number of ids in a finding. */
const NAMED = 20
/** Maximum number of files that are checked a second time. If there are more, the finding is certain anyway. */
const LOOKED_AT_AGAIN = 200
/** For the sorts and joins of a statement; hashes may use twice as much. */
const WORK_MEMORY = '64MB'
/** SQLSTATE of a statement timeout, and of missing permission. */
const OUT_OF_TIME = '57014'
const NOT_ALLOWED = '42501'

export interface AuditReport {
  /** One finding for each broken rule. */
  readonly findings: readonly AuditFinding[]
  /** Rules that could not be checked. */
  readonly unproved: readonly AuditGap[]
  /** Number of statements executed. */
  readonly steps: number
}

export interface AuditNeeds {
  /** Its connections should have the timeouts of the work `audit` (server/platform/db/pool.ts). */
  readonly db: Db
  readonly storage: Storage
}

export interface AuditOptions {
  /** People use the site during the audit, so that missing files are checked twice. Defaults to true. */
  readonly isLive?: boolean
  readonly signal?: AbortSignal
  /** Called before each step with its name. */
  readonly hear?: (step: string) => void
}

/**
 * Checks all rules: lists the storage first, then reads everything in one read-only transaction, so that all rules
 * see the same snapshot.
 * @throws errors of the database, except statement timeouts, which are in `unproved`
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
      // A lost connection has no temporary table to drop.
      await dropListing(session).catch(() => undefined)
    }
  })
}

/** The result of one rule. Both are null if it holds. */
export interface Outcome {
  readonly finding: AuditFinding | null
  readonly gap: AuditGap | null
}

/** All rules except those about files. */
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

/** Checks one rule in its own transaction and snapshot. `isGentle` limits it to one core. */
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

/** Checks each rule about files like `proveAlone`. @throws errors of the database, and the reason of the signal */
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

/** Merges the results of all rules. The parts of one rule become one finding. */
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

/** Sets the limits of one statement. Turns off JIT, because compiling costs more than it saves at our sizes. */
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
    // Returns as many ids as may be checked again; the report is shortened afterwards.
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

/** Returns null if the listing succeeded. */
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
    // A database error is not an error of the storage.
    if (error instanceof Error && 'severity' in error) throw error
    const why = `The files could not be listed: ${error instanceof Error ? error.message : String(error)}`
    return { rule: 'strayFile', why }
  }
}

/** Removes findings that are correct at the second check. */
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
