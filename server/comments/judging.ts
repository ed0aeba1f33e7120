/** The opinion of comments, and what older versions left to be done to them. */
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Db, DbOrTx } from '#server/db/connect.ts'
import { refold } from '#server/db/refolding.ts'
import { jobKind, NoPayload, type JobHandler } from '#server/jobs/job.ts'
import {
  createTextsJudge,
  judgeText,
  judgeTextsLater,
  OfTexts,
  sweepTexts,
  type JudgedTexts,
  type JudgingNeeds,
} from '#server/opinion/judging.ts'

const OfComment = z.object({ id: z.number() })
/** Judges a comment; what versions before wrote waits under it. */
export const JUDGE_COMMENT = jobKind('judgeComment', OfComment)
/** Judges the comments of a range of ids that nobody has judged. */
export const JUDGE_COMMENTS = jobKind('judgeComments', OfTexts)
/** Runs every minute. */
export const SWEEP_COMMENTS = jobKind('sweepComments', NoPayload)

const COMMENTS: JudgedTexts = { table: 'comments', kind: JUDGE_COMMENTS }

/** To be judged once the transaction has committed: one job for all of them, in place of one of the same key. */
export function judgeLater(db: DbOrTx, ids: readonly number[], key?: string): Promise<void> {
  return judgeTextsLater(db, COMMENTS, ids, key)
}

/** What does JUDGE_COMMENT; nothing when the comment is gone. */
export function createCommentJudge(needs: JudgingNeeds): JobHandler<z.output<typeof OfComment>> {
  return ({ id }, { signal }) => judgeComment(needs, id, signal)
}

/** What does JUDGE_COMMENTS. */
export function createCommentsJudge(needs: JudgingNeeds): JobHandler<z.output<typeof OfTexts>> {
  return createTextsJudge(needs, COMMENTS)
}

/** Judges a comment now. False when there is no such comment, or no more. */
export function judgeComment(
  needs: JudgingNeeds,
  id: number,
  signal?: AbortSignal,
): Promise<boolean> {
  return judgeText(needs, COMMENTS, id, signal)
}

/** What older versions wrote is judged, some every minute, newest first. */
export async function sweepComments(needs: Pick<JudgingNeeds, 'db' | 'clock'>): Promise<void> {
  await sweepTexts(needs, COMMENTS)
}

/** Folds what older versions wrote, for the search of the desk. */
export function refoldComments(db: Db): Promise<void> {
  const stale = sql<boolean>`(t.text_folded is null or is_stale_fold(t.text_folded))`
  return refold(db, { table: 'comments', column: 'text_folded', from: 'text', stale })
}
