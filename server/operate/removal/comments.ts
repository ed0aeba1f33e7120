import * as z from 'zod/mini'
import { vanishCommentsOf } from '#server/items/comments/deletions.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { jobKind, type JobHandler } from '#server/platform/jobs/job.ts'

const OfLesson = z.object({ lessonId: z.number() })
/** Removes the comments of a deleted lesson from all lists. Idempotent. */
export const VANISH_COMMENTS = jobKind('vanishComments', OfLesson)

/** Runs VANISH_COMMENTS. */
export function createCommentsVanisher(db: Db): JobHandler<z.output<typeof OfLesson>> {
  return ({ lessonId }) => vanishCommentsOf(db, lessonId)
}
