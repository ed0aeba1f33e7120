/** Pays authors for lessons that were unlocked on trust. Only this file writes the table of what is due. */
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { recordAll } from '#server/platform/events/outbox.ts'
import { jobKind, NoPayload } from '#server/platform/jobs/job.ts'
import type { Core } from '#server/platform/core/core.ts'
import { award, lockBalances } from '#server/people/points/ledger.ts'
import { addShare } from '#server/items/purchases/author-shares.ts'
import { lockLessonOnSale, writeShare } from '#server/items/purchases/store.ts'

/** Runs every minute. */
export const PAY_TRUSTED_SHARES = jobKind('payTrustedShares', NoPayload)

interface TrustedSale {
  readonly userId: string
  readonly lessonId: number
}

export async function insertTrustedShare(
  tx: Tx,
  { userId, lessonId, share }: TrustedSale & { readonly share: number },
): Promise<void> {
  await tx
    .insertInto('trusted_shares')
    .values({ user_id: userId, lesson_id: lessonId, share })
    .execute()
}

/** Drops what is due to an author whose account is erased. The lesson must be locked. */
export async function dropTrustedShares(tx: Tx, lessonId: number): Promise<void> {
  await tx.deleteFrom('trusted_shares').where('lesson_id', '=', lessonId).execute()
}

/** Pays what is due from people who have no debt any more. May be interrupted anywhere and run on several nodes. */
export async function payTrustedShares({ db, clock }: Pick<Core, 'db' | 'clock'>): Promise<void> {
  for (const sale of await findRepaid(db))
    await db.transaction().execute((tx) => payShare(tx, sale, clock.now()))
}

function findRepaid(db: DbOrTx): Promise<TrustedSale[]> {
  return db
    .selectFrom('trusted_shares as due')
    .innerJoin('point_balances as balance', 'balance.user_id', 'due.user_id')
    .select(['due.user_id as userId', 'due.lesson_id as lessonId'])
    .where('balance.net', '>=', 0)
    .orderBy('due.user_id')
    .execute()
}

async function payShare(tx: Tx, { userId, lessonId }: TrustedSale, at: Date): Promise<void> {
  const lesson = await lockLessonOnSale(tx, lessonId)
  // A deletion refunds the purchase, and with it deletes what is due.
  if (lesson === null) return
  const { ownerId, title } = lesson
  const balances = await lockBalances(tx, [userId, ownerId])
  if ((balances.get(userId)?.debt ?? 0) > 0) return
  const due = await tx
    .deleteFrom('trusted_shares')
    .where('user_id', '=', userId)
    .where('lesson_id', '=', lessonId)
    .returning('share')
    .executeTakeFirst()
  if (due === undefined) return
  const item = { kind: 'lesson', id: lessonId } as const
  const share = await addShare(tx, item, due.share)
  if (share === 0) return
  await writeShare(tx, { userId, lessonId, share })
  const entry = { userId: ownerId, amount: share, reason: 'share' } as const
  await award(tx, { ...entry, item: { ...item, title }, occurrence: userId, at })
  await recordAll(tx, [{ type: 'points.moved', ...entry, item, title }], at)
}
