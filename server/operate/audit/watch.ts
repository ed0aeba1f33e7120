/** Tells whether the nightly audit runs, and finds all well: for `/readyz`, the doctor and the metrics. */
import { findRuns } from '#server/operate/audit/store.ts'
import type { DbOrTx } from '#server/platform/db/connect.ts'

export const DAY_MS = 24 * 60 * 60 * 1000
/** A site may miss one of its daily audits or backups. */
export const OLDEST_MS = 2 * DAY_MS

export interface AuditState {
  /** Of the last finished audit. */
  readonly findings: number
  /** In ms since the end of the last finished audit, or since the start of the first; null before that. */
  readonly ageMs: number | null
}

export async function findAuditState(db: DbOrTx, now: Date): Promise<AuditState> {
  const { last, underWay } = await findRuns(db)
  const at = last?.finished ?? underWay?.began ?? null
  return {
    findings: last?.findings.length ?? 0,
    ageMs: at === null ? null : now.getTime() - Date.parse(at),
  }
}

/** Returns what is wrong, or null. Anybody may read it. */
export function auditTrouble({ findings, ageMs }: AuditState): string | null {
  if (findings > 0) return "the last audit found something wrong: see the desk's tab Audit"
  if (ageMs === null || ageMs <= OLDEST_MS) return null
  return `the last audit is ${Math.floor(ageMs / DAY_MS)} days old: see the desk's tabs Audit and Jobs`
}
