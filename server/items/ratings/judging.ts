/** Determines the AI opinion of texts in ratings. */
import type * as z from 'zod/mini'
import type { DbOrTx } from '#server/platform/db/connect.ts'
import { jobKind, NoPayload, type JobHandler } from '#server/platform/jobs/job.ts'
import {
  createTextsJudge,
  judgeTextsLater,
  OfTexts,
  sweepTexts,
  type JudgedTexts,
  type JudgingNeeds,
} from '#server/people/opinion/judging.ts'

/** Judges the unjudged ratings in a range of ids. */
export const JUDGE_RATINGS = jobKind('judgeRatings', OfTexts)
/** Runs every minute. */
export const SWEEP_RATINGS = jobKind('sweepRatings', NoPayload)

const RATINGS: JudgedTexts = { table: 'ratings', kind: JUDGE_RATINGS }

/** Enqueues a job for after the commit. Several changes before it runs share one job. */
export function judgeRatingLater(db: DbOrTx, id: number): Promise<void> {
  return judgeTextsLater(db, RATINGS, [id], `judge rating ${id}`)
}

/** Runs JUDGE_RATINGS. */
export function createRatingsJudge(needs: JudgingNeeds): JobHandler<z.output<typeof OfTexts>> {
  return createTextsJudge(needs, RATINGS)
}

/** Judges ratings whose job was lost. */
export function sweepRatings(needs: Pick<JudgingNeeds, 'db' | 'clock'>): Promise<void> {
  return sweepTexts(needs, RATINGS)
}
