/** Verifies that a moved database has no faults that its source didn't have. */
import type { ClientConfig } from 'pg'
import { listRules, proveAlone, type Outcome } from '#server/operate/audit/audit.ts'
import type { Rule } from '#server/operate/audit/rules/rule.ts'
import { BackupError } from '#server/operate/backup/archive/format.ts'
import { connect, type Db } from '#server/platform/db/connect.ts'
import type { Log } from '#server/kernel/log.ts'

/**
 * Checks all rules of the audit except those about files, which didn't move. Faults of the source are only
 * reported.
 * @throws BackupError for new faults; errors of the database
 */
export async function proveMoved(
  from: ClientConfig,
  to: ClientConfig,
  { log, say }: { readonly log: Log; readonly say: (line: string) => void },
): Promise<void> {
  const before = connect(from, log, { work: 'audit', size: 1 })
  const after = connect(to, log, { work: 'audit', size: 1 })
  try {
    for (const rule of await listRules(after.db)) {
      const { finding } = await proveAlone(after.db, rule)
      if (finding === null) continue
      const known = await countBefore(before.db, rule)
      if (known !== null && known < finding.count)
        throw new BackupError(
          `The audit of the copy found what was not so before: ${finding.what} (${finding.ids.slice(0, 5).join('; ')})`,
        )
      say(`? ${finding.what} (${finding.count}.) It was so before: see npm run audit.`)
    }
  } finally {
    await before.close()
    await after.close()
  }
}

/** Returns how often a rule is broken; null if it can't be checked in a database of an older version. */
async function countBefore(db: Db, rule: Rule): Promise<number | null> {
  let outcome: Outcome
  try {
    outcome = await proveAlone(db, rule)
  } catch {
    return null
  }
  return outcome.finding?.count ?? 0
}
