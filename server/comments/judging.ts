/** The opinion of comments, and what older versions left to be done to them. */
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Db, DbOrTx } from '#server/db/connect.ts'
import { jobKind, NoPayload, type JobHandler } from '#server/jobs/job.ts'
import { foldTerm } from '#server/db/folded-search.ts'
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

/** Comments that a sweep makes searchable. */
const MOST_FOLDED = 5000

/** What older versions wrote is made searchable and judged, some every minute, newest first. */
export async function sweepComments(needs: Pick<JudgingNeeds, 'db' | 'clock'>): Promise<void> {
  await foldSome(needs.db)
  await sweepTexts(needs, COMMENTS)
}

async function foldSome(db: Db): Promise<void> {
  const comments = await db
    .selectFrom('comments')
    .select(['id', 'text'])
    .where('text_folded', 'is', null)
    .orderBy('id')
    .limit(MOST_FOLDED)
    .execute()
  if (comments.length === 0) return
  const ids = comments.map(({ id }) => id)
  const folded = comments.map(({ text }) => foldTerm(text))
  await sql`
    update comments m set text_folded = given.folded
    from unnest(${ids}::bigint[], ${folded}::text[]) as given (id, folded)
    where m.id = given.id and m.text_folded is null`.execute(db)
}
