/** The only module that writes the tables of self-checks. */
import { sql, type RawBuilder } from 'kysely'
import type { CheckResult } from '#contract/checks.ts'
import type { Question } from '#contract/questions.ts'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'
import type { Entitlement } from '#server/items/shared/access.ts'
import { entitlementColumns, isReadable } from '#server/items/shared/entitlement.ts'

/** The chosen answers of each question. */
export type Chosen = readonly (readonly number[])[]

/** A person's best and last attempt. Null if they made none. */
export interface StandingRow {
  readonly best_right: number | null
  readonly best_of: number | null
  readonly best_revision: number | null
  readonly best_at: Date | null
  readonly last_right: number | null
  readonly last_of: number | null
  readonly last_revision: number | null
  readonly last_at: Date | null
  readonly passed_at: Date | null
}

/** A lesson's questions, and the caller's access to it. */
export interface CheckRow extends Entitlement, StandingRow {
  /** 0 if it never had questions. */
  readonly revision: number
  readonly questions: readonly Question[]
  /** Attempts at the current questions, and how many of them were passed. */
  readonly attempts: number
  readonly passes: number
  /** One entry per answer, for all questions in order. */
  readonly chosen: readonly number[]
  readonly rightly: readonly number[]
}

const attemptColumns = sql`r.best_right, r.best_of, r.best_revision, r.best_at,
  r.last_right, r.last_of, r.last_revision, r.last_at, r.passed_at`

/** Returns null if there is no such lesson. */
export async function findCheck(
  db: DbOrTx,
  lessonId: number,
  userId: string,
): Promise<CheckRow | null> {
  const { rows } = await sql<CheckRow>`
    select ${entitlementColumns(userId)}, coalesce(k.revision, 0) as revision, coalesce(k.questions, '[]') as questions,
      coalesce(k.attempts, 0) as attempts, coalesce(k.passes, 0) as passes,
      coalesce(k.chosen, '{}') as chosen, coalesce(k.rightly, '{}') as rightly, ${attemptColumns}
    from lessons l
    left join lesson_checks k on k.lesson_id = l.id
    left join check_results r on r.lesson_id = l.id and r.user_id = ${userId}
    where l.id = ${lessonId} and ${isReadable('l')}`.execute(db)
  return rows[0] ?? null
}

export interface Attempt {
  readonly userId: string
  readonly lessonId: number
  readonly revision: number
  readonly answers: Chosen
  /** Number of correctly answered questions. */
  readonly right: number
  /** Per answer 1 if it was chosen, and per question 1 if it was answered correctly, in order. */
  readonly chosen: readonly number[]
  readonly rightly: readonly number[]
  readonly at: Date
}

const MOST_COUNTED = sql.lit(2_000_000_000)
const sumOf = (column: RawBuilder<unknown>, added: readonly number[]) => sql`array(
  select least(${MOST_COUNTED}, was + more) from unnest(${column}, ${added}::integer[]) with ordinality as sum (was, more, place)
  order by place)`

/**
 * Counts an attempt and stores it as the person's last one, and as the best if it is better than earlier ones at
 * the same questions, in one statement. Returns null and stores nothing if the questions have changed.
 */
export async function storeAttempt(db: DbOrTx, attempt: Attempt): Promise<StandingRow | null> {
  const { userId, lessonId, revision, right, at, rightly } = attempt
  const of = rightly.length
  const passed = right === of
  const answers = JSON.stringify(attempt.answers)
  const isBest = sql`(old.best_revision <> excluded.best_revision or excluded.best_right > old.best_right)`
  const better = (column: string) =>
    sql`${sql.ref(column)} = case when ${isBest} then excluded.${sql.ref(column)} else old.${sql.ref(column)} end`
  const { rows } = await sql<StandingRow>`
    with counted as (
      update lesson_checks k set attempts = least(${MOST_COUNTED}, k.attempts + 1),
        passes = least(${MOST_COUNTED}, k.passes + ${passed ? 1 : 0}),
        chosen = ${sumOf(sql`k.chosen`, attempt.chosen)}, rightly = ${sumOf(sql`k.rightly`, rightly)}
      where k.lesson_id = ${lessonId} and k.revision = ${revision} returning k.lesson_id
    ), r as (
      insert into check_results as old (user_id, lesson_id, attempts,
        best_right, best_of, best_revision, best_answers, best_at,
        last_right, last_of, last_revision, last_answers, last_at, passed_at)
      select ${userId}::uuid, counted.lesson_id, 1,
        ${right}::smallint, ${of}::smallint, ${revision}::integer, ${answers}::jsonb, ${at}::timestamptz,
        ${right}::smallint, ${of}::smallint, ${revision}::integer, ${answers}::jsonb, ${at}::timestamptz,
        ${passed ? at : null}::timestamptz
      from counted
      on conflict (user_id, lesson_id) do update set
        attempts = least(${MOST_COUNTED}, old.attempts + 1),
        ${better('best_right')}, ${better('best_of')}, ${better('best_answers')}, ${better('best_at')},
        ${better('best_revision')},
        last_right = excluded.last_right, last_of = excluded.last_of, last_revision = excluded.last_revision,
        last_answers = excluded.last_answers, last_at = excluded.last_at,
        passed_at = coalesce(old.passed_at, excluded.passed_at)
      returning *
    ) select ${attemptColumns} from r`.execute(db)
  return rows[0] ?? null
}

/** Converts a row to the API's fields. */
export function toStanding(row: StandingRow): {
  best: CheckResult | null
  last: CheckResult | null
  passedAt: string | null
} {
  const { best_right, best_of, best_revision, best_at } = row
  const { last_right, last_of, last_revision, last_at } = row
  return {
    best: toResult(best_right, best_of, best_revision, best_at),
    last: toResult(last_right, last_of, last_revision, last_at),
    passedAt: row.passed_at?.toISOString() ?? null,
  }
}

function toResult(
  right: number | null,
  of: number | null,
  revision: number | null,
  at: Date | null,
): CheckResult | null {
  if (right === null || of === null || revision === null || at === null) return null
  return { right, of, revision, date: at.toISOString() }
}

/** Locks the questions of a lesson until the transaction ends. Returns null if it never had any. */
export async function lockQuestions(
  tx: Tx,
  lessonId: number,
): Promise<{ readonly questions: readonly Question[] } | null> {
  const { rows } = await sql<{ questions: readonly Question[] }>`
    select questions from lesson_checks where lesson_id = ${lessonId} for no key update`.execute(tx)
  return rows[0] ?? null
}

/** Stores new questions as the next revision and resets the counts. */
export async function putQuestions(
  tx: Tx,
  lessonId: number,
  questions: readonly Question[],
): Promise<void> {
  const answers = questions.reduce((total, question) => total + question.answers.length, 0)
  await sql`
    insert into lesson_checks as old (lesson_id, revision, questions, size, chosen, rightly)
    values (${lessonId}, 1, ${JSON.stringify(questions)}::jsonb, ${questions.length},
      array_fill(0, array[${answers}::integer]), array_fill(0, array[${questions.length}::integer]))
    on conflict (lesson_id) do update set revision = old.revision + 1, questions = excluded.questions,
      size = excluded.size, attempts = 0, passes = 0, chosen = excluded.chosen, rightly = excluded.rightly`.execute(
    tx,
  )
}

/** Stores new explanations for the same questions. */
export async function putExplanations(
  tx: Tx,
  lessonId: number,
  questions: readonly Question[],
): Promise<void> {
  await sql`
    update lesson_checks set questions = ${JSON.stringify(questions)}::jsonb where lesson_id = ${lessonId}`.execute(
    tx,
  )
}

/** Deletes the questions and counts of a deleted lesson. */
export async function forgetQuestions(tx: Tx, lessonId: number): Promise<void> {
  await sql`delete from lesson_checks where lesson_id = ${lessonId}`.execute(tx)
}

/** Deletes all attempts of a person. The anonymous counts remain. */
export async function forgetResults(db: DbOrTx, userId: string): Promise<void> {
  await sql`delete from check_results where user_id = ${userId}`.execute(db)
}

/** Returns a scalar subquery for the number of a lesson's questions. */
export function questionsOf(lessonId: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`coalesce((select k.size from lesson_checks k where k.lesson_id = ${lessonId}), 0)`
}
