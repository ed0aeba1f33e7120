/** Decisions of people that a lesson doesn't repeat another one. The comparison of contents respects them. */
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'

interface Pair {
  readonly lessonId: number
  readonly originalId: number
}

/** Returns the lessons that this one doesn't repeat. */
export async function findCleared(db: DbOrTx, lessonId: number): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('lesson_clearings')
    .select('original_id as id')
    .where('lesson_id', '=', lessonId)
    .where('overruled_at', 'is', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export async function clearLesson(tx: Tx, { lessonId, originalId }: Pair, at: Date): Promise<void> {
  await sql`
    insert into lesson_clearings (lesson_id, original_id, cleared_at) values (${lessonId}, ${originalId}, ${at})
    on conflict (lesson_id, original_id) do update set overruled_at = null`.execute(tx)
}

/** Clears a lesson of whatever its present content was found to repeat. */
export async function clearPresentContent(tx: Tx, lessonId: number, at: Date): Promise<void> {
  await sql`
    insert into lesson_clearings (lesson_id, original_id, cleared_at)
    select distinct f.lesson_id, older.id, ${at}::timestamptz
    from lesson_fingerprints f cross join lateral (values (f.older_id), (f.original_id)) older (id)
    where f.lesson_id = ${lessonId} and f.gone_at is null and older.id is not null
    on conflict (lesson_id, original_id) do update set overruled_at = null`.execute(tx)
}

/** Undoes the clearing of that time. One from another decision stays. */
export async function undoClearing(
  tx: Tx,
  { lessonId, originalId }: Pair,
  at: Date,
): Promise<void> {
  await tx
    .deleteFrom('lesson_clearings')
    .where('lesson_id', '=', lessonId)
    .where('original_id', '=', originalId)
    .where('cleared_at', '=', at)
    .execute()
}

/** Call it when the lesson is found to be a copy after all. Null undoes that. */
export async function overruleClearing(
  tx: Tx,
  { lessonId, originalId }: Pair,
  at: Date | null,
): Promise<void> {
  await tx
    .updateTable('lesson_clearings')
    .set({ overruled_at: at })
    .where('lesson_id', '=', lessonId)
    .where('original_id', '=', originalId)
    .execute()
}
