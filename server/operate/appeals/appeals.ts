/** Appeals: a person asks another administrator to look at a decision again. */
import { message } from '#contract/message.ts'
import { conflict, forbidden, notFound } from '#server/kernel/errors.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { lock, lockName } from '#server/platform/db/locks.ts'
import type { ItemRef } from '#server/platform/events/catalogue.ts'
import { addNoticeLater } from '#server/platform/mail/outbox.ts'
import { lockAdministrators } from '#server/people/accounts/store.ts'
import { findMailbox } from '#server/people/accounts/mails/mailbox.ts'
import { appealLink, logAct } from '#server/people/moderation/log.ts'
import {
  appealableUntil,
  findAct,
  type AppealableAct,
} from '#server/people/moderation/appeals/acts.ts'
import {
  actIdOf,
  findAppeal,
  insertAppeal,
  lockAppeal,
  settleAppeal,
  type StoredAppeal,
} from '#server/people/moderation/appeals/store.ts'
import { reverseAct } from '#server/operate/appeals/reversing.ts'

interface Needs {
  readonly db: Db
  readonly clock: Clock
}

/**
 * Returns a decision about the viewer, with their appeal against it or null.
 * @throws Refusal 404, also for a reward that is no longer missing
 */
export async function showAct(
  db: DbOrTx,
  viewer: Viewer,
  actId: string,
): Promise<{ act: AppealableAct; appeal: StoredAppeal | null }> {
  const act = await findAct(db, actId)
  if (act === null || act.personId !== viewer.id) throw notFound('actNotFound')
  const appeal = await findAppeal(db, act)
  if (act.isReversed && appeal === null) throw notFound('actNotFound')
  return { act, appeal }
}

/**
 * The same text again returns the appeal that is there.
 * @throws Refusal 404; 409 after 180 days, or if there is another appeal already
 */
export async function createAppeal(
  { db, clock }: Needs,
  viewer: Viewer,
  given: { readonly act: string; readonly text: string },
): Promise<StoredAppeal> {
  const at = clock.now()
  const { text } = given
  return db.transaction().execute(async (tx) => {
    await lock(tx, lockName.appeals(viewer.id))
    const { act, appeal } = await showAct(tx, viewer, given.act)
    if (appeal === null && at > appealableUntil(act.at)) throw conflict('appealTooLate')
    const stored = appeal ?? (await insertAppeal(tx, act, { text, at }))
    if (stored.text !== text) throw conflict('appealThere')
    return stored
  })
}

interface Decision {
  readonly id: number
  readonly granted: boolean
  readonly text: string
}

/**
 * Decides an appeal, and reverses the decision if it is granted. The same decision again changes nothing. Returns the
 * items that changed. Locks the administrators first, as changes of roles do, then the appeal.
 * @throws Refusal 404; 403 for the administrator who decided, where there is another; 409 if the appeal was decided
 *   otherwise, or if what it is about can't be restored any more
 */
export async function decideAppeal(
  { db, clock }: Needs,
  viewer: Viewer,
  { id, granted, text }: Decision,
): Promise<readonly ItemRef[]> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const administrators = await lockAdministrators(tx)
    const appeal = await lockAppeal(tx, id)
    if (appeal === null) throw notFound('appealNotFound')
    if (appeal.granted === granted) return []
    if (appeal.granted !== null) throw conflict('appealDecided')
    const act = await findAct(tx, actIdOf(appeal))
    if (act === null && granted) throw conflict('appealCannotRestore')
    if (act?.actorId === viewer.id && administrators.some((other) => other !== viewer.id))
      throw forbidden('appealOwnDecision')
    const items =
      granted && act !== null ? await reverseAct(tx, viewer, { act, reason: text, at }) : []
    await settleAppeal(tx, id, { granted, by: viewer.id, at, answer: text })
    await tell(tx, { viewer, appeal, act, granted, text, at })
    return items
  })
}

interface Told extends Omit<Decision, 'id'> {
  readonly viewer: Viewer
  readonly appeal: StoredAppeal
  readonly act: AppealableAct | null
  readonly at: Date
}

/** Logs the decision, and mails it even to people who opted out of optional mail. */
async function tell(tx: Tx, { viewer, appeal, act, granted, text, at }: Told): Promise<void> {
  const { id, userId } = appeal
  const title = act?.subject ?? null
  await logAct(tx, {
    actorId: viewer.id,
    action: granted ? 'appealGranted' : 'appealDeclined',
    subjectId: id,
    subject: title,
    personId: userId,
    reason: text,
    at,
  })
  const mailbox = await findMailbox(tx, userId)
  if (mailbox === null) return
  const notice = {
    subject: message(granted ? 'mailAppealGrantedSubject' : 'mailAppealDeclinedSubject'),
    lines: [
      message(granted ? 'mailAppealGranted' : 'mailAppealDeclined'),
      message('pointsReason', { reason: text }),
    ],
    link: { ...appealLink(0), path: `/appeal/${actIdOf(appeal)}` },
  }
  await addNoticeLater(tx, mailbox, notice, at)
}
