/** The list of who did what, append-only; written in the transaction of what was done. */
import { sql } from 'kysely'
import type { Action } from '#contract/moderation.ts'
import type { DbOrTx } from '#server/db/connect.ts'
import { happened } from '#server/notices/happening.ts'

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

/** What is done to a person or to what is theirs: they are told of it (server/notices), with the words of the act. */
const TOLD: ReadonlySet<Action> = new Set([
  'commentDeleted',
  'commentRestored',
  'lessonEdited',
  'lessonDeleted',
  'courseEdited',
  'courseDeleted',
  'suspended',
  'unsuspended',
])

const ITEM_OF: Partial<Record<Action, 'lesson' | 'course'>> = {
  lessonEdited: 'lesson',
  lessonDeleted: 'lesson',
  courseEdited: 'course',
  courseDeleted: 'course',
}

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
  if (personId !== null && personId !== actorId && TOLD.has(action)) await tell(db, act)
}

async function tell(db: DbOrTx, act: Act): Promise<void> {
  const { action, personId, subjectId = null, subject = null, reason = null, at } = act
  const item = ITEM_OF[action]
  await happened({
    kind: 'moderation',
    person: sql`${personId}::uuid`,
    item: {
      kind: sql`${item ?? null}::text`,
      id: sql`${item === undefined ? null : subjectId}::bigint`,
      title: sql`${subject === null ? null : [...subject].slice(0, MOST).join('')}::text`,
    },
    detail: sql`${action}::text`,
    note: sql`${reason}::text`,
    at,
    from: sql`(values (1)) once`,
  }).execute(db)
}
