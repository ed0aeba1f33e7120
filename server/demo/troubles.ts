/**
 * Writes exceptional cases and conversations of the demo content. All functions are idempotent, because a start
 * may be interrupted.
 */
import { createHash } from 'node:crypto'
import { findDraft, insertMessage, markRead } from '#server/community/chat/store.ts'
import { finishBug, insertBug } from '#server/community/contact/bugs.ts'
import type { Db } from '#server/platform/db/connect.ts'
import type { DemoMessage, DemoProblem } from '#server/demo/content/types.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { Refusal } from '#server/kernel/errors.ts'
import { addMailLater } from '#server/platform/mail/outbox.ts'
import { markUnsent } from '#server/platform/mail/store.ts'
import { suspendPerson } from '#server/people/moderation/suspension.ts'
import { removeLesson } from '#server/operate/removal/removal.ts'

interface Needs {
  readonly db: Db
  readonly clock: Clock
}

/** Returns the id of the lesson that this author already deleted, or null. */
export async function findTakenBack(db: Db, authorId: string): Promise<number | null> {
  const row = await db
    .selectFrom('lessons')
    .select('id')
    .where('owner_id', '=', authorId)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Deletes a lesson as its author, which refunds the buyers. */
export async function takeBack(needs: Needs, author: Viewer, id: number): Promise<void> {
  await removeLesson(needs, author, { id, reason: undefined }).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.status !== 404) throw error
  })
}

/** Writes a message. If it is read, nothing stays unread. */
export async function write(
  { db, clock }: Needs,
  sender: Viewer,
  receiver: Viewer,
  { text, read }: DemoMessage,
): Promise<void> {
  const draftId = draftIdOf(`${sender.username} ${receiver.username} ${text}`)
  // Later messages may be unread and must stay so.
  if ((await findDraft(db, sender.id, draftId)) !== null) return
  await insertMessage(db, {
    senderId: sender.id,
    receiverId: receiver.id,
    text,
    draftId,
    at: clock.now(),
    delivered: true,
    most: null,
  })
  if (read) await markRead(db, receiver.id, sender.id)
}

/** Suspends the author of insults. Sends no mail, because the address belongs to nobody. */
export async function suspend(
  needs: Needs,
  moderator: Viewer,
  { id }: Viewer,
  { reason }: { readonly reason: string },
): Promise<void> {
  try {
    await suspendPerson(needs, moderator, { id, reason })
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 409) throw error
  }
  await needs.db.deleteFrom('mails').where('user_id', '=', id).execute()
}

/** Writes a problem report and the moderator's reaction. */
export async function reportProblem(
  { db, clock }: Needs,
  moderator: Viewer,
  reporter: Viewer | null,
  { email, topic, text, done }: DemoProblem,
): Promise<void> {
  const find = () =>
    db
      .selectFrom('bug_reports')
      .select(['id', 'done_at'])
      .where('topic', '=', topic)
      .executeTakeFirst()
  const at = clock.now()
  if ((await find()) === undefined) {
    const bug = { userId: reporter?.id ?? null, senderEmail: email, topic, text, at }
    await db.transaction().execute((tx) => insertBug(tx, bug))
  }
  const stored = await find()
  if (done && stored !== undefined)
    await finishBug(db, { id: stored.id, done, by: moderator.id, at })
}

/** Adds a mail that the receiver's server refused. It is not retried. */
export async function keepUndelivered({ db, clock }: Needs, mail: UndeliveredMail): Promise<void> {
  const { address, subject, text, reason } = mail
  const known = await db
    .selectFrom('mails')
    .select('id')
    .where('address', '=', address)
    .executeTakeFirst()
  if (known !== undefined) return
  const to = { userId: null, address, locale: 'en' as const }
  await db.transaction().execute(async (tx) => {
    const id = await addMailLater(
      tx,
      to,
      {
        kind: 'letter',
        subject,
        text,
        replyTo: 'hello@oak-and-ash.example',
        held: false,
      },
      clock.now(),
    )
    // In the same transaction, so that the sending job finds it failed after a single attempt.
    await tx.updateTable('mails').set({ attempts: 1 }).where('id', '=', id).execute()
    await markUnsent(tx, id, { failed: true, reason })
  })
}

interface UndeliveredMail {
  readonly address: string
  readonly subject: string
  readonly text: string
  readonly reason: string
}

/** Derives the id from the text, so that an interrupted start writes nothing twice. */
export function draftIdOf(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex')
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}
