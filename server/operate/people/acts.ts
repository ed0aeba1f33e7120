/** Acts of administrators on accounts. Each needs a reason, is logged, and the person is notified. */
import { message } from '#contract/message.ts'
import type { Role } from '#contract/accounts.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import type { Action } from '#contract/moderation.ts'
import { forgetFactors } from '#server/people/accounts/factors/factors.ts'
import { findFactors } from '#server/people/accounts/factors/store.ts'
import { lockIdentity, writeAbout } from '#server/people/accounts/identity.ts'
import { lockAdministrators, writeRole } from '#server/people/accounts/store.ts'
import { logAct } from '#server/people/moderation/log.ts'
import { notifyPerson, requirePerson } from '#server/people/moderation/suspension.ts'
import { addCorrection, findCorrection } from '#server/people/points/corrections.ts'
import { balanceOf, type Balance } from '#server/people/points/ledger.ts'
import type { Core } from '#server/platform/core/core.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { conflict, forbidden, notFound } from '#server/kernel/errors.ts'

type Needs = Pick<Core, 'db' | 'clock'>

interface Given {
  readonly id: string
  readonly reason: string
}

/**
 * Changes somebody's points by an amount, once for each `draftId`.
 * @throws Refusal 404; 409 for oneself
 */
export async function correctPoints(
  { db, clock }: Needs,
  viewer: Viewer,
  { id, amount, reason, draftId }: Given & { readonly amount: number; readonly draftId: string },
): Promise<Balance> {
  refuseOneself(viewer, id)
  return db.transaction().execute(async (tx) => {
    await requirePerson(tx, id)
    const at = clock.now()
    const entry = await addCorrection(tx, { userId: id, amount, reason, key: draftId, at })
    if (entry !== null)
      await logAct(tx, {
        actorId: viewer.id,
        action: 'pointsCorrected',
        subjectId: entry,
        subject: String(amount),
        personId: id,
        reason,
        at,
      })
    return balanceOf(tx, id)
  })
}

/**
 * Takes a correction back, once.
 * @throws Refusal 404, also for an unknown correction; 409 for oneself
 */
export async function undoCorrection(
  { db, clock }: Needs,
  viewer: Viewer,
  { id, entry, reason }: Given & { readonly entry: number },
): Promise<Balance> {
  refuseOneself(viewer, id)
  return db.transaction().execute(async (tx) => {
    await requirePerson(tx, id)
    const amount = await findCorrection(tx, id, entry)
    if (amount === null) throw notFound()
    const at = clock.now()
    const change = { userId: id, amount: -amount, reason, key: `undo ${entry}`, at }
    if ((await addCorrection(tx, change)) !== null)
      await logAct(tx, {
        actorId: viewer.id,
        action: 'correctionUndone',
        subjectId: entry,
        subject: String(amount),
        personId: id,
        reason,
        at,
      })
    return balanceOf(tx, id)
  })
}

function refuseOneself(viewer: Viewer, id: string): void {
  if (id === viewer.id) throw conflict('correctOneself')
}

/**
 * Makes an administrator, or makes one a user. Locks all administrators, so that two of them can't remove each other.
 * @throws Refusal 404; 409 for the last administrator, and for suspended people
 */
export async function changeRole(
  { db, clock }: Needs,
  viewer: Viewer,
  { id, role, reason }: Given & { readonly role: Role },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const administrators = await lockAdministrators(tx)
    // The viewer may have lost the role while this waited.
    if (!administrators.includes(viewer.id)) throw forbidden()
    const person = await requirePerson(tx, id)
    if (person.role === role) return
    const { username } = person
    if (role === 'administrator' && person.suspended)
      throw conflict('administratorSuspended', { username })
    if (role === 'user' && administrators.every((other) => other === id))
      throw conflict('lastAdministrator')
    await writeRole(tx, id, role)
    const at = clock.now()
    const words = ROLE_WORDS[role]
    await notifyPerson(tx, id, at, {
      subject: message(words.subject),
      lines: [message(words.what, { username }), message('pointsReason', { reason })],
    })
    await logAct(tx, { actorId: viewer.id, action: words.action, personId: id, reason, at })
  })
}

const ROLE_WORDS = {
  administrator: {
    action: 'administratorMade',
    subject: 'mailMadeSubject',
    what: 'mailMadeWhat',
  },
  user: {
    action: 'administratorRemoved',
    subject: 'mailUnmadeSubject',
    what: 'mailUnmadeWhat',
  },
} as const satisfies Record<Role, Record<'subject' | 'what', MessageKey> & { action: Action }>

/**
 * Deletes what somebody says about themselves on their public page. They can appeal, or write another text.
 * @throws Refusal 404; 409 if the text is another one by now
 */
export async function deleteAbout(
  { db, clock }: Needs,
  viewer: Viewer,
  { id, about: seen, reason }: Given & { readonly about: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const person = await lockIdentity(tx, id)
    if (person === null) throw notFound('profileNotFound')
    const { about } = person
    if (about === null) return
    if (about !== seen) throw conflict('aboutChanged')
    await writeAbout(tx, id, null)
    const at = clock.now()
    const act = { actorId: viewer.id, action: 'aboutDeleted', subject: about } as const
    await logAct(tx, { ...act, personId: id, reason, at })
  })
}

/**
 * Removes the second factors of somebody who lost them, passkeys included.
 * @throws Refusal 404; 409 for oneself, and for people without a second factor
 */
export async function resetFactors(
  { db, clock }: Needs,
  viewer: Viewer,
  { id, reason }: Given,
): Promise<void> {
  if (id === viewer.id) throw conflict('resetOneself')
  await db.transaction().execute(async (tx) => {
    const { username } = await requirePerson(tx, id)
    const factors = await findFactors(tx, id)
    if (!factors?.since) throw conflict('noSecondFactor', { username })
    await forgetFactors(tx, id)
    const at = clock.now()
    await notifyPerson(tx, id, at, {
      subject: message('mailFactorOffSubject'),
      lines: [
        message('mailFactorsResetWhat', { username }),
        message('pointsReason', { reason }),
        message('mailFactorsResetNext'),
      ],
    })
    await logAct(tx, { actorId: viewer.id, action: 'factorsReset', personId: id, reason, at })
  })
}
