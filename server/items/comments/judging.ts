import type * as z from 'zod/mini'
import type { DbOrTx } from '#server/platform/db/connect.ts'
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

/** Classifies the unclassified comments of a range of ids. */
export const JUDGE_COMMENTS = jobKind('judgeComments', OfTexts)
/** Runs every minute. */
export const SWEEP_COMMENTS = jobKind('sweepComments', NoPayload)

const COMMENTS: JudgedTexts = { table: 'comments', kind: JUDGE_COMMENTS }

/** Queues one job for all of these comments, which runs after the commit and replaces a job with the same key. */
export function judgeLater(db: DbOrTx, ids: readonly number[], key?: string): Promise<void> {
  return judgeTextsLater(db, COMMENTS, ids, key)
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

/** Classifies comments whose job was lost, some in each run, newest first. */
export async function sweepComments(needs: Pick<JudgingNeeds, 'db' | 'clock'>): Promise<void> {
  await sweepTexts(needs, COMMENTS)
}
