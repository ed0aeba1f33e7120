/** Append-only log of administrators' actions, written in the transaction of the action. */
import { sql } from 'kysely'
import { message } from '#contract/message.ts'
import type { Action } from '#contract/moderation.ts'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { record } from '#server/platform/events/outbox.ts'

export interface Act {
  readonly actorId: string
  readonly action: Action
  readonly subjectId?: string | number | null
  /** A title, or a text that is shortened. */
  readonly subject?: string | null
  /** The affected person. */
  readonly personId?: string | null
  /** Somebody else who is notified. */
  readonly alsoId?: string
  readonly reason?: string | null
  readonly at: Date
}

/** Removes the reasons about a person whose account is erased, and what they said about themselves. The actions remain. */
export async function forgetReasons(db: DbOrTx, personId: string): Promise<void> {
  await db
    .updateTable('moderation_log')
    .set({ reason: null })
    .where('person_id', '=', personId)
    .where('reason', 'is not', null)
    .execute()
  // Decisions about appeals repeat the subject of the act.
  await db
    .updateTable('moderation_log')
    .set({ subject: null })
    .where('person_id', '=', personId)
    .where('action', 'in', ['aboutDeleted', 'appealGranted', 'appealDeclined'])
    .execute()
}

const MOST = 300

/** Actions about a person or their things, of which they are notified (server/community/notices) with the reason. */
const TOLD: ReadonlySet<Action> = new Set([
  'commentDeleted',
  'commentRestored',
  'ratingDeleted',
  'ratingRestored',
  'lessonEdited',
  'lessonDeleted',
  'courseEdited',
  'courseDeleted',
  'copyConfirmed',
  'copyDenied',
  'copyRemoved',
  'copyUndone',
  'suspended',
  'unsuspended',
  'aboutDeleted',
  'appealGranted',
  'appealDeclined',
])

const ITEM_OF: Partial<Record<Action, 'lesson' | 'course'>> = {
  lessonEdited: 'lesson',
  lessonDeleted: 'lesson',
  copyConfirmed: 'lesson',
  copyDenied: 'lesson',
  copyRemoved: 'lesson',
  copyUndone: 'lesson',
  courseEdited: 'course',
  courseDeleted: 'course',
}

/**
 * Logs an action in its transaction, and returns the id of the entry. Stores the first 300 characters of the subject.
 */
export async function logAct(tx: Tx, act: Act): Promise<number> {
  const { actorId, action, subjectId = null, subject = null, personId = null, reason = null } = act
  const title = subject === null ? null : [...subject].slice(0, MOST).join('')
  const { rows } = await sql<{ id: number }>`
    insert into moderation_log (actor_id, action, subject_id, subject, person_id, reason, created_at)
    values (${actorId}, ${action}, ${subjectId === null ? null : String(subjectId)}, ${title}, ${personId}, ${reason},
      ${act.at}) returning id`.execute(tx)
  const id = rows[0]?.id ?? 0
  const people = [personId, act.alsoId ?? null].filter((id) => id !== null && id !== actorId)
  if (people.length === 0 || !TOLD.has(action)) return id
  const kind = ITEM_OF[action]
  const item = kind === undefined ? null : { kind, id: Number(subjectId) }
  const about = { action, act: id, item, title, note: reason }
  for (const userId of people)
    if (userId !== null) await record(tx, { type: 'moderator.acted', userId, ...about }, act.at)
  return id
}

/** The link of a mail to the page with the decision and the appeal. `logId` is what `logAct` returned. */
export const appealLink = (logId: number) => ({
  label: message('mailAppealLink'),
  path: `/appeal/act-${logId}`,
})
