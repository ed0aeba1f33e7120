/** The list of who did what, append-only; written in the transaction of what was done. */
import { sql } from 'kysely'
import type { Action } from '#contract/moderation.schemas.ts'
import type { DbOrTx } from '#server/db/connect.ts'

export interface Act {
  readonly actorId: string
  readonly action: Action
  readonly subjectId?: string | number | null
  /** A title, or a text of which the beginning is stored. */
  readonly subject?: string | null
  /** Whom it concerns. */
  readonly personId?: string | null
  readonly reason?: string | null
  readonly at: Date
}

/** Takes the words about a person whose account is erased out of the log. What was done, and by whom, stays. */
export async function forgetReasons(db: DbOrTx, personId: string): Promise<void> {
  await db
    .updateTable('moderation_log')
    .set({ reason: null })
    .where('person_id', '=', personId)
    .where('reason', 'is not', null)
    .execute()
}

const MOST = 200

/**
 * Writes an administrator's act into the log, in the transaction of the act. Of the subject the first 200 characters
 * are stored.
 */
export async function logAct(db: DbOrTx, act: Act): Promise<void> {
  const { actorId, action, subjectId = null, subject = null, personId = null, reason = null } = act
  await sql`
    insert into moderation_log (actor_id, action, subject_id, subject, person_id, reason, created_at)
    values (${actorId}, ${action}, ${subjectId === null ? null : String(subjectId)},
      ${subject === null ? null : [...subject].slice(0, MOST).join('')}, ${personId}, ${reason}, ${act.at})`.execute(
    db,
  )
}
