import { sql, type RawBuilder } from 'kysely'
import { foldTerm } from '#contract/fold.ts'
import { beginsWith } from '#server/platform/db/folded-search.ts'

/** Selects the ids of up to 100 people whose names begin with these words. */
export const peopleNamed = (words: string): RawBuilder<unknown> => sql`
  select u.id from users u where u.erased_at is null and ${beginsWith('u.name_folded', foldTerm(words))} limit 100`
