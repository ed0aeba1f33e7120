/** The opinion of what people say with their stars. */
import type * as z from 'zod/mini'
import type { DbOrTx } from '#server/db/connect.ts'
import { jobKind, NoPayload, type JobHandler } from '#server/jobs/job.ts'
import {
  createTextsJudge,
  judgeTextsLater,
  OfTexts,
  sweepTexts,
  type JudgedTexts,
  type JudgingNeeds,
} from '#server/opinion/judging.ts'

/** Judges the ratings of a range of ids that nobody has judged. */
export const JUDGE_RATINGS = jobKind('judgeRatings', OfTexts)
/** Runs every minute. */
export const SWEEP_RATINGS = jobKind('sweepRatings', NoPayload)

const RATINGS: JudgedTexts = { table: 'ratings', kind: JUDGE_RATINGS }

/** To be judged once the transaction has committed: one job, however often it is changed before that has run. */
export function judgeRatingLater(db: DbOrTx, id: number): Promise<void> {
  return judgeTextsLater(db, RATINGS, [id], `judge rating ${id}`)
}

/** What does JUDGE_RATINGS. */
export function createRatingsJudge(needs: JudgingNeeds): JobHandler<z.output<typeof OfTexts>> {
  return createTextsJudge(needs, RATINGS)
}

/** Has those judged whose job was lost. */
export function sweepRatings(needs: Pick<JudgingNeeds, 'db' | 'clock'>): Promise<void> {
  return sweepTexts(needs, RATINGS)
}
