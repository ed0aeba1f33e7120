/** Drafts: a form's create that comes twice makes one lesson. */
import { sql } from 'kysely'
import type { RewardReason } from '#contract/points.schemas.ts'
import type { DbOrTx, Tx } from '#server/db/connect.ts'
import { lock, lockName } from '#server/db/locks.ts'

/** What the first create answered. */
export interface PublishedDraft {
  readonly lessonId: number
  readonly rewarded: boolean
  readonly rewardReason: RewardReason | null
}

interface DraftKey {
  readonly ownerId: string
  readonly draftId: string
}

/** Creates with one draft take turns until their transactions end. */
export async function lockDraft(tx: Tx, { ownerId, draftId }: DraftKey): Promise<void> {
  await lock(tx, lockName.draft(ownerId, draftId))
}

/** What a form's draft became, so that sending it again answers the same; null when it was not published yet. */
export async function findPublishedDraft(
  db: DbOrTx,
  { ownerId, draftId }: DraftKey,
): Promise<PublishedDraft | null> {
  const { rows } = await sql<PublishedDraft>`
    select lesson_id as "lessonId", rewarded, reward_reason as "rewardReason"
    from lesson_drafts where owner_id = ${ownerId} and draft_id = ${draftId}`.execute(db)
  return rows[0] ?? null
}

/** Of a person whose account is erased. */
export async function forgetLessonDrafts(db: DbOrTx, ownerId: string): Promise<void> {
  await db.deleteFrom('lesson_drafts').where('owner_id', '=', ownerId).execute()
}

/** Notes in the transaction of the create what the draft became. */
export async function insertPublishedDraft(
  tx: Tx,
  { ownerId, draftId }: DraftKey,
  published: PublishedDraft,
): Promise<void> {
  await tx
    .insertInto('lesson_drafts')
    .values({
      owner_id: ownerId,
      draft_id: draftId,
      lesson_id: published.lessonId,
      rewarded: published.rewarded,
      reward_reason: published.rewardReason,
    })
    .execute()
}
