/**
 * Texts that people write for others are judged by jobs: after they were written, and again when an administrator asks.
 * Which texts, each folder says of its own table, which has the columns of an opinion.
 */
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Db, DbOrTx } from '#server/db/connect.ts'
import type { JobHandler, JobKind } from '#server/jobs/job.ts'
import { addJobLater } from '#server/jobs/queue.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Judge } from '#server/opinion/opinion.ts'
import type { Opinion } from '#opinion'

export interface JudgingNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly judge: Judge
}

/** A range of ids, both ends included. */
export const OfTexts = z.object({ from: z.number(), to: z.number() })
type Range = z.output<typeof OfTexts>

/** Where texts stand that are judged, and the job that judges those of a range that nobody has judged. */
export interface JudgedTexts {
  readonly table: 'comments' | 'ratings'
  readonly kind: JobKind<Range>
}

/** To be judged once the transaction has committed: one job for all of them, in place of one of the same key. */
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

/** Texts that a job judges side by side, where a judge elsewhere is waited for. */
const JUDGED_AT_ONCE = 3

interface Waiting {
  readonly id: number
  readonly text: string
}

/** What does the job of these texts. Of a job that is broken off, what was judged by then is stored. */
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
        // The local judge waits for nothing: others get their turn in between.
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
 * Judges a text outside of any transaction, however long that takes, and stores what is said of it. False when there is
 * no such text, or no more.
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

/** Longest name that is stored of who judged. */
const MODEL = 200

interface Judged extends Waiting {
  readonly opinion: Opinion
  readonly at: Date
}

/** Stores opinions. Answers how many: none of a text that was deleted meanwhile, or is another one. */
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

/** Texts that a sweep takes on. */
const MOST = 500
/** What is younger has a job of its own on its way. */
const YOUNG_MS = 10 * 60_000

/** Has those judged that nobody has judged in time, some every minute, newest first. */
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
