/** The opinion of a comment: formed by a job after it was written, and again when an administrator asks. */
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Db, DbOrTx } from '#server/db/connect.ts'
import { jobKind, NoPayload, type JobHandler } from '#server/jobs/job.ts'
import { addJobLater } from '#server/jobs/queue.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { foldTerm } from '#server/db/folded-search.ts'
import type { Judge, Opinion } from '#server/opinion/opinion.ts'

export interface JudgingNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly judge: Judge
}

const OfComment = z.object({ id: z.number() })
/** Judges a comment. */
export const JUDGE_COMMENT = jobKind('judgeComment', OfComment)
/** Runs every minute. */
export const SWEEP_COMMENTS = jobKind('sweepComments', NoPayload)

/** To be judged once the transaction has committed. */
export function judgeLater(db: DbOrTx, id: number): Promise<void> {
  return addJobLater(db, JUDGE_COMMENT, { id }, { key: `judge ${id}`, yields: true })
}

/** What does JUDGE_COMMENT; nothing when the comment is gone. */
export function createCommentJudge(needs: JudgingNeeds): JobHandler<z.output<typeof OfComment>> {
  return ({ id }, { signal }) => judgeComment(needs, id, signal)
}

/**
 * Judges a comment outside of any transaction, however long that takes, and stores what is said of it. False when
 * there is no such comment, or no more.
 */
export async function judgeComment(
  { db, clock, judge }: JudgingNeeds,
  id: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const comment = await db
    .selectFrom('comments')
    .select('text')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (comment === undefined) return false
  const opinion = await judge(comment.text, signal)
  return keepOpinion(db, { id, text: comment.text, opinion, at: clock.now() })
}

/** Longest name that is stored of who judged. */
const MODEL = 200

/** False when the comment was deleted meanwhile, or is another text. */
async function keepOpinion(
  db: Db,
  { id, text, opinion, at }: { id: number; text: string; opinion: Opinion; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('comments')
    .set({
      prediction: opinion.label,
      confidence: opinion.confidence,
      language: opinion.language,
      why: [...opinion.why],
      model: [...opinion.model].slice(0, MODEL).join(''),
      judged_at: at,
    })
    .where('id', '=', id)
    .where('text', '=', text)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Comments that a sweep takes on. */
const MOST = 500
/** What is younger has a job of its own on its way. */
const YOUNG_MS = 10 * 60_000

/** What older versions wrote is made searchable and judged, some every minute, newest first. */
export async function sweepComments({
  db,
  clock,
}: Pick<JudgingNeeds, 'db' | 'clock'>): Promise<void> {
  await foldSome(db)
  const before = new Date(clock.now().getTime() - YOUNG_MS)
  const comments = await db
    .selectFrom('comments')
    .select('id')
    .where('prediction', 'is', null)
    .where('deleted_at', 'is', null)
    .where('created_at', '<', before)
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute()
  for (const { id } of comments) await judgeLater(db, id)
}

async function foldSome(db: Db): Promise<void> {
  const comments = await db
    .selectFrom('comments')
    .select(['id', 'text'])
    .where('text_folded', 'is', null)
    .orderBy('id')
    .limit(MOST * 10)
    .execute()
  if (comments.length === 0) return
  const ids = comments.map(({ id }) => id)
  const folded = comments.map(({ text }) => foldTerm(text))
  await sql`
    update comments m set text_folded = given.folded
    from unnest(${ids}::bigint[], ${folded}::text[]) as given (id, folded)
    where m.id = given.id and m.text_folded is null`.execute(db)
}
