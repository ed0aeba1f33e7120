/**
 * Jobs judge the texts that people write for others, after they are written and on request of an administrator.
 * Each folder defines which rows of its own table to judge; the table has the columns of an opinion.
 */
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Db, DbOrTx } from '#server/platform/db/connect.ts'
import type { JobHandler, JobKind } from '#server/platform/jobs/job.ts'
import { addJobLater } from '#server/platform/jobs/queue.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Judge } from '#server/people/opinion/opinion.ts'
import type { Opinion } from '#opinion'

export interface JudgingNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly judge: Judge
}

/** A range of ids, bounds included. */
export const OfTexts = z.object({ from: z.number(), to: z.number() })
type Range = z.output<typeof OfTexts>

/** A table with texts, and the job that judges its unjudged rows in a range. */
export interface JudgedTexts {
  readonly table: 'comments' | 'ratings'
  readonly kind: JobKind<Range>
}

/** Enqueues one job for after the commit, which replaces one with the same key. */
export async function judgeTextsLater(
  db: DbOrTx,
  { kind }: JudgedTexts,
  ids: readonly number[],
  key?: string,
): Promise<void> {
  if (ids.length === 0) return
  const range = { from: Math.min(...ids), to: Math.max(...ids) }
  await addJobLater(db, kind, range, { yields: true, ...(key !== undefined && { key }) })
}

/** Concurrent requests of a job to a remote judge. */
const JUDGED_AT_ONCE = 3

interface Waiting {
  readonly id: number
  readonly text: string
}

/** Runs the job for a table. Results obtained before an interruption are stored. */
export function createTextsJudge(
  { db, clock, judge }: JudgingNeeds,
  texts: JudgedTexts,
): JobHandler<Range> {
  return async ({ from, to }, { signal }) => {
    const { rows: waiting } = await sql<Waiting>`
      select id, text from ${sql.table(texts.table)}
      where id >= ${from} and id <= ${to} and prediction is null and deleted_at is null and text is not null
      order by id`.execute(db)
    const judged: Judged[] = []
    const judgeNext = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        judged.push({ ...next, opinion: await judge(next.text, signal), at: clock.now() })
        // The local judge is synchronous, so other work must get a turn between texts.
        await setImmediate()
      }
    }
    try {
      await Promise.all(Array.from({ length: JUDGED_AT_ONCE }, judgeNext))
    } finally {
      await storeOpinions(db, texts, judged)
    }
  }
}

/**
 * Judges a text outside of any transaction, however long it takes, and stores the opinion. Returns false if the
 * text doesn't exist any more.
 */
export async function judgeText(
  { db, clock, judge }: JudgingNeeds,
  texts: JudgedTexts,
  id: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const { rows } = await sql<Waiting>`
    select id, text from ${sql.table(texts.table)}
    where id = ${id} and deleted_at is null and text is not null`.execute(db)
  const [found] = rows
  if (found === undefined) return false
  const opinion = await judge(found.text, signal)
  return (await storeOpinions(db, texts, [{ ...found, opinion, at: clock.now() }])) > 0
}

/** Maximum length of the stored model name. */
const MODEL = 200

interface Judged extends Waiting {
  readonly opinion: Opinion
  readonly at: Date
}

/** Stores opinions and returns their number. Skips texts that were deleted or changed meanwhile. */
async function storeOpinions(
  db: Db,
  { table }: JudgedTexts,
  judged: readonly Judged[],
): Promise<number> {
  if (judged.length === 0) return 0
  const given = judged.map(({ id, text, opinion, at }) => ({
    id,
    text,
    ...opinion,
    model: [...opinion.model].slice(0, MODEL).join(''),
    at: at.toISOString(),
  }))
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} m set
      prediction = given.label, confidence = given.confidence, language = given.language, model = given.model,
      why = array(select json_array_elements_text(given.why)), judged_at = given.at
    from json_to_recordset(${JSON.stringify(given)}::json) as given (
      id bigint, text text, label text, confidence real, language text, why json, model text, at timestamptz
    )
    where m.id = given.id and m.text = given.text and m.deleted_at is null`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Texts per sweep. */
const MOST = 500
/** Newer texts still have their own job. */
const YOUNG_MS = 10 * 60_000

/** Judges texts that were missed, a batch per minute, newest first. */
export async function sweepTexts(
  { db, clock }: Pick<JudgingNeeds, 'db' | 'clock'>,
  texts: JudgedTexts,
): Promise<void> {
  const before = new Date(clock.now().getTime() - YOUNG_MS)
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(texts.table)}
    where prediction is null and deleted_at is null and text is not null and created_at < ${before}
    order by id desc limit ${sql.lit(MOST)}`.execute(db)
  await judgeTextsLater(
    db,
    texts,
    rows.map(({ id }) => id),
    `judge swept ${texts.table}`,
  )
}
