/** Reports an administrator's action to the item's owner on /points, by mail, and in the log. */
import { message } from '#contract/message.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import type { Action } from '#contract/moderation.ts'
import type { ItemKind } from '#contract/points.ts'
import { findMailbox } from '#server/people/accounts/mails/mailbox.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import { addNoticeLater } from '#server/platform/mail/outbox.ts'
import { appealLink, logAct } from '#server/people/moderation/log.ts'
import { award, type EntryItem } from '#server/people/points/ledger.ts'

export interface Reason {
  readonly actorId: string
  readonly ownerId: string
  readonly item: EntryItem
  /** The administrator's reason, or null. */
  readonly reason: string | null
  readonly at: Date
}

interface Words {
  readonly action: Action
  readonly subject: MessageKey
  readonly what: MessageKey
}

const EDITED: Record<ItemKind, Words> = {
  lesson: {
    action: 'lessonEdited',
    subject: 'mailLessonEditedSubject',
    what: 'mailLessonEditedWhat',
  },
  course: {
    action: 'courseEdited',
    subject: 'mailCourseEditedSubject',
    what: 'mailCourseEditedWhat',
  },
}
const DELETED: Record<ItemKind, Words> = {
  lesson: {
    action: 'lessonDeleted',
    subject: 'mailLessonDeletedSubject',
    what: 'mailLessonDeletedWhat',
  },
  course: {
    action: 'courseDeleted',
    subject: 'mailCourseDeletedSubject',
    what: 'mailCourseDeletedWhat',
  },
}

/** `version` is the edited version, which makes each notice unique. */
export async function notifyEdit(
  tx: Tx,
  given: Reason & { readonly version: number },
): Promise<void> {
  const { ownerId: userId, item, reason, at } = given
  const occurrence = String(given.version + 1)
  await award(tx, { userId, amount: 0, reason: 'edited', at, item, occurrence, ...noteOf(reason) })
  await notify(tx, EDITED[item.kind], given)
}

/**
 * Logs a deletion by an administrator and mails the owner the reason. An entry of 0 points in the owner's ledger
 * also shows it.
 */
export async function notifyRemoval(tx: Tx, given: Reason): Promise<void> {
  const { ownerId: userId, item, reason, at } = given
  await award(tx, {
    userId,
    amount: 0,
    reason: 'deletedByAdministrator',
    at,
    item,
    ...noteOf(reason),
  })
  await notify(tx, DELETED[item.kind], given)
}

const noteOf = (reason: string | null) => (reason === null ? {} : { note: reason })

async function notify(tx: Tx, words: Words, given: Reason): Promise<void> {
  const { actorId, ownerId, item, reason, at } = given
  const { id, title } = item
  const { action } = words
  const logId = await logAct(tx, {
    actorId,
    action,
    subjectId: id,
    subject: title,
    personId: ownerId,
    reason,
    at,
  })
  const mailbox = await findMailbox(tx, ownerId)
  if (mailbox === null) return
  const why = reason === null ? 'pointsNoReason' : message('pointsReason', { reason })
  const notice = {
    subject: message(words.subject),
    lines: [message(words.what, { title }), why],
    link: appealLink(logId),
    optional: true,
  }
  await addNoticeLater(tx, mailbox, notice, at)
}
