/** Drafts: a form's create that comes twice makes one course. */
import { sql } from 'kysely'
import type { RewardCheck } from '#contract/points.schemas.ts'
import type { DbOrTx, Tx } from '#server/db/connect.ts'

/** What the first create answered. */
export interface PublishedDraft extends RewardCheck {
  readonly courseId: number
}

export interface DraftKey {
  readonly ownerId: string
  readonly draftId: string
}

/** What a form's draft became, so that sending it again answers the same; null when it was not published yet. */
export async function findPublishedDraft(
  db: DbOrTx,
  { ownerId, draftId }: DraftKey,
): Promise<PublishedDraft | null> {
  const { rows } = await sql<PublishedDraft>`
    select course_id as "courseId", rewarded, reward_reason as "rewardReason"
    from course_drafts where owner_id = ${ownerId} and draft_id = ${draftId}`.execute(db)
  return rows[0] ?? null
}

/** Of a person whose account is erased. */
export async function forgetCourseDrafts(db: DbOrTx, ownerId: string): Promise<void> {
  await db.deleteFrom('course_drafts').where('owner_id', '=', ownerId).execute()
}

/** Notes in the transaction of the create what the draft became. */
export async function insertPublishedDraft(
  tx: Tx,
  { ownerId, draftId }: DraftKey,
  { courseId, rewarded, rewardReason }: PublishedDraft,
): Promise<void> {
  await tx
    .insertInto('course_drafts')
    .values({
      owner_id: ownerId,
      draft_id: draftId,
      course_id: courseId,
      rewarded,
      reward_reason: rewardReason,
    })
    .execute()
}
