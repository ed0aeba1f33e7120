/**
 * Searches without a result, for authors who look for something to write about. Until the day is counted, each is
 * stored with a hash of who searched, whose salt changes with the day and the term. Only terms that enough people
 * searched on one day stay, without the hashes.
 */
import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { FEWEST_COUNTED } from '#contract/figures.ts'
import { foldTerm } from '#contract/fold.ts'
import type { SearchQuery } from '#contract/search.ts'
import { deriveKey } from '#server/people/accounts/sessions/tokens.ts'
import type { CallContext } from '#server/kernel/call.ts'
import { utcDay } from '#server/kernel/clock.ts'
import type { Core } from '#server/platform/core/core.ts'
import type { Tx } from '#server/platform/db/connect.ts'

/** Searches that one process stores on a day. */
const MOST_A_DAY = 20_000
/** Terms that are stored of a day. */
const MOST_TERMS = 50
const STORED_DAYS = 365
/** An address of a mailbox, or a number that may be a telephone's. */
const PRIVATE = /@|(?:\d[\s()./-]*){6}/

export type MissCounter = (
  query: Pick<SearchQuery, 'q'>,
  viewer: CallContext['viewer'],
) => Promise<void>

/** Guests don't count: one person can search from many networks, and guests don't find people and spoken words. */
export function createMissCounter({
  db,
  clock,
  log,
  secrets,
}: Pick<Core, 'db' | 'clock' | 'log' | 'secrets'>): MissCounter {
  const salt = deriveKey(secrets[0], 'search misses')
  let day = ''
  let stored = new Set<string>()
  return async ({ q }, viewer) => {
    if (viewer === null) return
    const term = foldTerm(q)
    if (PRIVATE.test(term)) return
    const today = utcDay(clock.now())
    if (day !== today) [day, stored] = [today, new Set()]
    const searcher = createHmac('sha256', salt)
      .update(`${today}\n${term}\n${viewer.id}`)
      .digest('base64url')
      .slice(0, 22)
    if (stored.has(searcher) || stored.size >= MOST_A_DAY) return
    stored.add(searcher)
    try {
      await sql`
        insert into search_misses (day, term, searcher) values (${today}, ${term}, ${searcher}) on conflict do nothing`.execute(
        db,
      )
    } catch (error) {
      // The search itself has worked.
      log.warn({ err: error }, 'a search without a result could not be counted')
    }
  }
}

/** Counts the terms of the days from `first` to before `end`, and deletes who searched them. */
export async function countMissedTerms(tx: Tx, first: string, end: string): Promise<void> {
  await sql`
    insert into missed_terms (day, term, people)
    select day, term, people from (
      select day, term, count(*) as people, row_number() over (partition by day order by count(*) desc, term) as place
      from search_misses where day >= ${first}::date and day < ${end}::date group by day, term
    ) counted
    where people >= ${sql.lit(FEWEST_COUNTED)} and place <= ${sql.lit(MOST_TERMS)}
    on conflict (day, term) do update set people = excluded.people`.execute(tx)
  await sql`delete from search_misses where day < ${end}::date`.execute(tx)
  await sql`delete from missed_terms where day < ${end}::date - ${sql.lit(STORED_DAYS)}::integer`.execute(
    tx,
  )
}
