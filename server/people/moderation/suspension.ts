import { message } from '#contract/message.ts'
import { deleteTokens } from '#server/people/accounts/access-tokens/store.ts'
import { findMailbox } from '#server/people/accounts/mails/mailbox.ts'
import { revokeOtherSessions } from '#server/people/accounts/sessions/sessions.ts'
import {
  lockAccountStatus,
  writeSuspension,
  type AccountStatus,
} from '#server/people/accounts/suspension.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { record } from '#server/platform/events/outbox.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, notFound } from '#server/kernel/errors.ts'
import { addNoticeLater } from '#server/platform/mail/outbox.ts'
import { appealLink, logAct } from '#server/people/moderation/log.ts'

interface Needs {
  readonly db: Db
  readonly clock: Clock
}

/**
 * Suspends a person, who can still read and export, and mails them the reason.
 * @throws Refusal 404; 409 for oneself, for administrators, and for people who are already suspended
 */
export async function suspendPerson(
  { db, clock }: Needs,
  viewer: Viewer,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<void> {
  if (id === viewer.id) throw conflict('suspendOneself')
  const at = clock.now()
  await db.transaction().execute(async (tx) => {
    const person = await requirePerson(tx, id)
    if (person.role === 'administrator') throw conflict('suspendAdministrator')
    if (person.suspended) throw conflict('suspendedAlready', { username: person.username })
    await writeSuspension(tx, id, { reason, at })
    const act = { actorId: viewer.id, action: 'suspended', personId: id, reason, at } as const
    const logId = await logAct(tx, act)
    await notifyPerson(tx, id, at, {
      subject: message('mailSuspendedSubject'),
      lines: [
        message('mailSuspendedWhat', { username: person.username }),
        message('pointsReason', { reason }),
        message('mailSuspendedCan'),
      ],
      link: appealLink(logId),
    })
    await record(tx, { type: 'user.suspended', userId: id }, at)
  })
}

/** @throws Refusal 404; 409 for people who are not suspended */
export async function unsuspendPerson(
  { db, clock }: Needs,
  viewer: Viewer,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<void> {
  const at = clock.now()
  await db.transaction().execute(async (tx) => {
    const isLifted = await liftSuspension(tx, viewer, { id, reason, at })
    if (isLifted) return
    const { username } = await requirePerson(tx, id)
    throw conflict('notSuspended', { username })
  })
}

/** Returns false for people who are not suspended, or not since `since`. @throws Refusal 404 */
export async function liftSuspension(
  tx: Tx,
  viewer: Viewer,
  {
    id,
    reason,
    since,
    at,
  }: {
    readonly id: string
    readonly reason: string
    readonly since?: Date
    readonly at: Date
  },
): Promise<boolean> {
  const { username, suspendedAt } = await requirePerson(tx, id)
  if (suspendedAt === null) return false
  if (since !== undefined && suspendedAt.getTime() !== since.getTime()) return false
  await writeSuspension(tx, id, null)
  await notifyPerson(tx, id, at, {
    subject: message('mailUnsuspendedSubject'),
    lines: [message('mailUnsuspendedWhat', { username }), message('pointsReason', { reason })],
  })
  await logAct(tx, { actorId: viewer.id, action: 'unsuspended', personId: id, reason, at })
  return true
}

/**
 * Ends all sessions and access tokens of a person and mails them the reason. They may sign in again immediately.
 * @throws Refusal 404; 409 for oneself
 */
export async function signOutPerson(
  { db, clock }: Needs,
  viewer: Viewer,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<void> {
  if (id === viewer.id) throw conflict('signOutOneself')
  const at = clock.now()
  await db.transaction().execute(async (tx) => {
    const { username } = await requirePerson(tx, id)
    await revokeOtherSessions(tx, id, null, at)
    await deleteTokens(tx, id)
    await notifyPerson(tx, id, at, {
      subject: message('mailSignedOutSubject'),
      lines: [
        message('mailSignedOutWhat', { username }),
        message('pointsReason', { reason }),
        message('mailSignedOutAgain'),
      ],
    })
    await logAct(tx, { actorId: viewer.id, action: 'signedOut', personId: id, reason, at })
  })
}

/** Locks a person. @throws Refusal 404 */
export async function requirePerson(tx: Tx, id: string): Promise<AccountStatus> {
  const person = await lockAccountStatus(tx, id)
  if (person === null) throw notFound('profileNotFound')
  return person
}

/** Sent even to people who opted out of optional mail. */
export async function notifyPerson(
  tx: Tx,
  id: string,
  at: Date,
  notice: Parameters<typeof addNoticeLater>[2],
): Promise<void> {
  const mailbox = await findMailbox(tx, id)
  if (mailbox !== null) await addNoticeLater(tx, mailbox, notice, at)
}
