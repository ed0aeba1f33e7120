/** The job that takes the comments of a deleted lesson out of every list. */
import * as z from 'zod/mini'
import { vanishCommentsOf } from '#server/comments/deletions.ts'
import type { Db } from '#server/db/connect.ts'
import type { JobHandler } from '#server/jobs/worker.ts'

/** Its payload is `{lessonId}`. */
export const VANISH_COMMENTS = 'vanishComments'
const Payload = z.object({ lessonId: z.number() })

export function createCommentsVanisher(db: Db): JobHandler {
  return (payload) => vanishCommentsOf(db, Payload.parse(payload).lessonId)
}
