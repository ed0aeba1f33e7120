/** The job that takes the comments of a deleted lesson out of every list. */
import * as z from 'zod/mini'
import { vanishCommentsOf } from '#server/comments/deletions.ts'
import type { Db } from '#server/db/connect.ts'
import { jobKind, type JobHandler } from '#server/jobs/job.ts'

const OfLesson = z.object({ lessonId: z.number() })
/** Takes the comments of a deleted lesson out of every list. Safe to repeat. */
export const VANISH_COMMENTS = jobKind('vanishComments', OfLesson)

/** What does VANISH_COMMENTS. */
export function createCommentsVanisher(db: Db): JobHandler<z.output<typeof OfLesson>> {
  return ({ lessonId }) => vanishCommentsOf(db, lessonId)
}
