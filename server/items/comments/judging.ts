import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Db, DbOrTx } from '#server/platform/db/connect.ts'
import { refold } from '#server/platform/db/refolding.ts'
import { jobKind, NoPayload, type JobHandler } from '#server/platform/jobs/job.ts'
import {
  createTextsJudge,
  judgeText,
  judgeTextsLater,
  OfTexts,
  sweepTexts,
  type JudgedTexts,
  type JudgingNeeds,
} from '#server/people/opinion/judging.ts'

const OfComment = z.object({ id: z.number() })
/** Classifies one comment. Jobs of older versions are queued under this name. */
export const JUDGE_COMMENT = jobKind('judgeComment', OfComment)
/** Classifies the unclassified comments of a range of ids. */
export const JUDGE_COMMENTS = jobKind('judgeComments', OfTexts)
/** Runs every minute. */
export const SWEEP_COMMENTS = jobKind('sweepComments', NoPayload)

const COMMENTS: JudgedTexts = { table: 'comments', kind: JUDGE_COMMENTS }

/** Queues one job for all of these comments, which runs after the commit and replaces a job with the same key. */
export function judgeLater(db: DbOrTx, ids: readonly number[], key?: string): Promise<void> {
  return judgeTextsLater(db, COMMENTS, ids, key)
}

/** Handles JUDGE_COMMENT and ignores deleted comments. */
export function createCommentJudge(needs: JudgingNeeds): JobHandler<z.output<typeof OfComment>> {
  return ({ id }, { signal }) => judgeComment(needs, id, signal)
}

export function createCommentsJudge(needs: JudgingNeeds): JobHandler<z.output<typeof OfTexts>> {
  return createTextsJudge(needs, COMMENTS)
}

/** Returns false when the comment doesn't exist any more. */
export function judgeComment(
  needs: JudgingNeeds,
  id: number,
  signal?: AbortSignal,
): Promise<boolean> {
  return judgeText(needs, COMMENTS, id, signal)
}

/** Classifies comments of older versions, some in each run, newest first. */
export async function sweepComments(needs: Pick<JudgingNeeds, 'db' | 'clock'>): Promise<void> {
  await sweepTexts(needs, COMMENTS)
}

/** Folds the texts of older versions, for the search of the desk. */
export function refoldComments(db: Db): Promise<void> {
  const stale = sql<boolean>`(t.text_folded is null or is_stale_fold(t.text_folded))`
  return refold(db, { table: 'comments', column: 'text_folded', from: 'text', stale })
}
