import { sql, type RawBuilder } from 'kysely'
import { foldTerm } from '#contract/fold.ts'
import { EXACT_TOTAL, ROWS_PER_PAGE } from '#contract/limits.ts'
import { profiles, type PeopleQuery } from '#contract/profiles.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import { personImage } from '#server/people/accounts/answer.ts'
import { CUSTOM_PLAN, type Db } from '#server/platform/db/connect.ts'
import type { Reads } from '#server/platform/core/reads.ts'
import { contains, isShort, type Way } from '#server/platform/db/folded-search.ts'
import { readInBatches, wholeList, type WholeList } from '#server/kernel/http/whole-lists.ts'

interface PersonRow {
  readonly id: string
  readonly username: string
  readonly username_folded: string
  readonly picture: string | null
}

const BATCH = 500
const BEYOND_CAP = sql.lit(EXACT_TOTAL + 1)

function toPerson({ id, username, picture }: PersonRow): ProfileCard {
  return { id, userName: username, imageUrl: personImage(id, picture) }
}

/** Returns null for an unknown or erased id. */
export async function findPerson(db: Db, id: string): Promise<ProfileCard | null> {
  const { rows } = await sql<PersonRow>`
    select u.id, u.username, u.username_folded, p.key as picture
    from users u left join pictures p on p.id = u.picture_id
    where u.id = ${id} and u.erased_at is null`.execute(db)
  return rows[0] === undefined ? null : toPerson(rows[0])
}

/** Matches people whose name contains the term. An empty term matches everybody. */
function conditionsOf(term: string, way: Way): RawBuilder<boolean> {
  if (term === '') return sql`u.erased_at is null`
  return sql`u.erased_at is null and ${contains('u.name_folded', term, way)}`
}

/** Matches in a 1 % sample from which a short term is too common for the trigram index. */
const COMMON = 500

const isCommon = sql`(select finds from sampled) >= ${sql.lit(COMMON)}`

/**
 * The CTE `hits`, limited to what is counted. A short term uses the trigram index, unless a sample shows that it
 * is common: then a scan in the order of names finds enough sooner. Those matches are sorted by name, and so are
 * those of longer terms.
 */
function hitsOf(term: string): RawBuilder<unknown> {
  const gather = (way: Way) => sql`
    select u.id, u.username_folded from users u where ${conditionsOf(term, way)}`
  if (!isShort(term))
    return sql`hits as materialized (${gather('walked')} order by u.username_folded limit ${BEYOND_CAP})`
  return sql`sampled as materialized (
      select count(*) as finds from users u tablesample system (1) where ${conditionsOf(term, 'walked')}
    ), hits as materialized (
      (${gather('looked up')} and not ${isCommon} limit ${BEYOND_CAP})
      union all
      (${gather('walked')} and ${isCommon} order by u.username_folded limit ${BEYOND_CAP})
    )`
}

/**
 * Returns a page of 50 and the total, which is exact up to 10,000 and limits the pages. Pages are cut from the
 * hits, except for a short term with more hits than are counted, which scans the index to the page.
 */
export async function listPeople(
  db: Db,
  search: string,
  page: number,
): Promise<{ people: ProfileCard[]; total: number }> {
  const term = foldTerm(search)
  const offset = (page - 1) * ROWS_PER_PAGE
  const size = offset < EXACT_TOTAL ? ROWS_PER_PAGE : 0
  const slice = sql`limit ${sql.lit(size)} offset ${Math.min(offset, EXACT_TOTAL)}`
  const isFew = sql`(select found from total) <= ${sql.lit(EXACT_TOTAL)}`
  const cut = (condition: RawBuilder<unknown>) =>
    sql`select h.id from hits h where ${condition} order by h.username_folded ${slice}`
  const walk = sql`select u.id from users u
    where not ${isFew} and not ${isCommon} and ${conditionsOf(term, 'walked')} order by u.username_folded ${slice}`
  const ids = isShort(term)
    ? sql`(${cut(sql`(${isFew} or ${isCommon})`)}) union all (${walk})`
    : cut(sql`true`)
  const { rows } = await sql<(PersonRow | { id: null }) & { found: number }>`${CUSTOM_PLAN}
    with ${hitsOf(term)}, total as materialized (select count(*) as found from hits), page as (${ids})
    select cards.*, total.found from total left join (
      select u.id, u.username, u.username_folded, p.key as picture
      from page join users u on u.id = page.id left join pictures p on p.id = u.picture_id
    ) cards on true
    order by cards.username_folded`.execute(db)
  return {
    people: rows
      .filter((row): row is PersonRow & { found: number } => row.id !== null)
      .map(toPerson),
    total: Math.min(rows[0]?.found ?? 0, EXACT_TOTAL),
  }
}

/** Serves `GET /identity/allProfiles` without `page`. */
export function allPeople(reads: Reads): WholeList {
  return wholeList(profiles.all, {
    isLong: async ({ search }: PeopleQuery) => {
      const { rows } = await sql<{ found: number }>`${CUSTOM_PLAN}
        select count(*) as found from (
          select from users u where ${conditionsOf(foldTerm(search), 'walked')} limit ${BEYOND_CAP}
        ) counted`.execute(reads.of(null))
      return (rows[0]?.found ?? 0) > EXACT_TOTAL
    },
    readBatches: async function* ({ search }: PeopleQuery, viewer) {
      const db = reads.of(viewer)
      for await (const rows of readInBatches<PersonRow>(BATCH, (after) =>
        readBatch(db, search, after),
      ))
        yield rows.map(toPerson)
    },
  })
}

async function readBatch(
  db: Db,
  search: string,
  after: PersonRow | undefined,
): Promise<PersonRow[]> {
  const term = foldTerm(search)
  const beyond = after === undefined ? sql`` : sql`and u.username_folded > ${after.username_folded}`
  const walk = sql`
    from users u where ${conditionsOf(term, 'walked')} ${beyond}
    order by u.username_folded limit ${sql.lit(BATCH)}`
  // Without a term every row on the way is returned, so the rows are fetched directly. With one, an index-only
  // scan finds the matches, and only their rows are fetched.
  const found =
    term === ''
      ? sql`(select u.id, u.username, u.username_folded, u.picture_id ${walk}) u`
      : sql`(select u.id ${walk}) page join users u on u.id = page.id`
  const { rows } = await sql<PersonRow>`${CUSTOM_PLAN}
    select u.id, u.username, u.username_folded, p.key as picture
    from ${found} left join pictures p on p.id = u.picture_id
    order by u.username_folded`.execute(db)
  return rows
}
