/** Folds the names of people whom an older version wrote, for search. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/connect.ts'
import { refold } from '#server/platform/db/refolding.ts'

/** Folds names that aren't folded yet, and removes the folded names of accounts that an older version erased. */
export async function refoldNames(db: Db): Promise<void> {
  await sql`
    update users set name_folded = null
    where (name_folded is null) = (erased_at is null) and erased_at is not null`.execute(db)
  await refold(db, {
    table: 'users',
    column: 'name_folded',
    from: 'username_folded',
    stale: sql`(t.name_folded is null) = (t.erased_at is null) and t.erased_at is null`,
  })
}
