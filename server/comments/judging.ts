/** The opinion of a comment: formed by a job after it was written, and again when an administrator asks. */
import { setImmediate } from 'node:timers/promises'
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
/** Judges a comment; what versions before wrote waits under it. */
export const JUDGE_COMMENT = jobKind('judgeComment', OfComment)
const OfComments = z.object({ from: z.number(), to: z.number() })
/** Judges the comments of a range of ids that nobody has judged. */
export const JUDGE_COMMENTS = jobKind('judgeComments', OfComments)
/** Runs every minute. */
export const SWEEP_COMMENTS = jobKind('sweepComments', NoPayload)

/** To be judged once the transaction has committed: one job for all of them, in place of one of the same key. */
export async function judgeLater(db: DbOrTx, ids: readonly number[], key?: string): Promise<void> {
  if (ids.length === 0) return
  const range = { from: Math.min(...ids), to: Math.max(...ids) }
  await addJobLater(db, JUDGE_COMMENTS, range, { yields: true, ...(key !== undefined && { key }) })
}

/** What does JUDGE_COMMENT; nothing when the comment is gone. */
export function createCommentJudge(needs: JudgingNeeds): JobHandler<z.output<typeof OfComment>> {
  return ({ id }, { signal }) => judgeComment(needs, id, signal)
}

/** What does JUDGE_COMMENTS. Of a job that is broken off, what was judged by then is stored. */
export function createCommentsJudge(needs: JudgingNeeds): JobHandler<z.output<typeof OfComments>> {
  return async ({ from, to }, { signal }) => {
    const { db, clock, judge } = needs
    const waiting = await db
      .selectFrom('comments')
      .select(['id', 'text'])
      .where('id', '>=', from)
      .where('id', '<=', to)
      .where('prediction', 'is', null)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute()
    const judged: Judged[] = []
    const judgeNext = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        judged.push({ ...next, opinion: await judge(next.text, signal), at: clock.now() })
        // The local judge waits for nothing: others get their turn in between.
        await setImmediate()
      }
    }
    try {
      await Promise.all(Array.from({ length: JUDGED_AT_ONCE }, judgeNext))
    } finally {
      await storeOpinions(db, judged)
    }
  }
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
  const judged = { id, text: comment.text, opinion, at: clock.now() }
  return (await storeOpinions(db, [judged])) > 0
}

/** Comments that a job judges side by side, where a judge elsewhere is waited for. */
const JUDGED_AT_ONCE = 3
/** Longest name that is stored of who judged. */
const MODEL = 200

interface Judged {
  readonly id: number
  readonly text: string
  readonly opinion: Opinion
  readonly at: Date
}

/** Stores opinions. Answers how many: none of a comment that was deleted meanwhile, or is another text. */
async function storeOpinions(db: Db, judged: readonly Judged[]): Promise<number> {
  if (judged.length === 0) return 0
  const given = judged.map(({ id, text, opinion, at }) => ({
    id,
    text,
    ...opinion,
    model: [...opinion.model].slice(0, MODEL).join(''),
    at: at.toISOString(),
  }))
  const { numAffectedRows } = await sql`
    update comments m set
      prediction = given.label, confidence = given.confidence, language = given.language, model = given.model,
      why = array(select json_array_elements_text(given.why)), judged_at = given.at
    from json_to_recordset(${JSON.stringify(given)}::json) as given (
      id bigint, text text, label text, confidence real, language text, why json, model text, at timestamptz
    )
    where m.id = given.id and m.text = given.text and m.deleted_at is null`.execute(db)
  return Number(numAffectedRows ?? 0)
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
  await judgeLater(
    db,
    comments.map(({ id }) => id),
    'judge swept comments',
  )
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
