import { sql, type RawBuilder } from 'kysely'
import type { Role } from '#contract/accounts.ts'
import { foldTerm } from '#contract/fold.ts'
import { MOST_PEOPLE, ROWS_PER_PAGE } from '#contract/limits.ts'
import type { ListedPerson, PeopleFilter } from '#contract/people.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import { personImage, shownPerson } from '#server/people/accounts/answer.ts'
import { foldEmail } from '#server/people/accounts/claims.ts'
import { invitedBy } from '#server/people/accounts/door/store.ts'
import { CUSTOM_PLAN, type Db } from '#server/platform/db/connect.ts'
import { beginsWith, contains, isShort } from '#server/platform/db/folded-search.ts'

interface PersonRow {
  readonly id: string
  readonly username: string
  readonly picture: string | null
  readonly email: string
  readonly role: Role
  readonly suspended: boolean
  readonly unconfirmed: boolean
  readonly net: number | null
  readonly created_at: Date
  readonly seen: Date | null
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const isUnconfirmed = sql<boolean>`(u.email_confirmed_at is null and u.previous_email_confirmed_at is null)`

/** One more than is counted, so that a longer list shows. */
const GATHERED = sql.lit(MOST_PEOPLE + 1)

/** Role and the rest are literals, because a generic plan couldn't use the partial indexes. */
function filtersOf({
  role,
  suspended,
  unconfirmed,
  invitedBy: inviterId,
}: PeopleFilter): RawBuilder<unknown> {
  return sql.join(
    [
      sql`u.erased_at is null`,
      ...(role === undefined ? [] : [sql`u.role = ${sql.lit(role)}`]),
      ...(suspended ? [sql`u.suspended_at is not null`] : []),
      ...(unconfirmed ? [isUnconfirmed] : []),
      ...(inviterId === undefined ? [] : [sql`u.id in (${invitedBy(inviterId)})`]),
    ],
    sql` and `,
  )
}

/**
 * The parts of a search, each served by an index of its own. Trigrams find a term of three letters anywhere; a shorter
 * one is found at the beginning.
 */
function partsOf(term: string, address: string): RawBuilder<unknown>[] {
  const startsName = sql`${beginsWith('u.name_folded', term)} order by u.name_folded using ~<~`
  const startsAddress = sql`${beginsWith('u.email_folded', address)} order by u.email_folded`
  return [
    ...(UUID.test(address) ? [sql`u.id = ${address}::uuid`] : []),
    startsName,
    ...(isShort(term) ? [] : [contains('u.name_folded', term, 'walked')]),
    isShort(address) ? startsAddress : holdsAddress(address),
    beginsWith('u.previous_email_folded', address),
  ]
}

/**
 * The domains of addresses are so common that looking their trigrams up takes long. So a term with a domain is found by
 * what is before it.
 */
function holdsAddress(address: string): RawBuilder<unknown> {
  const local = address.slice(0, address.indexOf('@') + 1)
  if (isShort(local) || local === '') return contains('u.email_folded', address, 'walked')
  return sql`${contains('u.email_folded', local, 'walked')} and strpos(u.email_folded, ${address}) > 0`
}

/** The CTE `hit (id)`. Each part gathers only as many as are counted, so that common terms stay fast. */
function hitsOf(filter: PeopleFilter): RawBuilder<unknown> {
  const people = sql`select u.id from users u where ${filtersOf(filter)}`
  const term = foldTerm(filter.search)
  if (term === '') return sql`hit as materialized (${people} order by u.id desc limit ${GATHERED})`
  const address = foldEmail(filter.search.trim())
  const parts = partsOf(term, address).map((part) => sql`(${people} and ${part} limit ${GATHERED})`)
  return sql`hit as materialized (${sql.join(parts, sql` union `)})`
}

/** Whole matches first, then beginnings of names and addresses, then the rest by name. */
function orderOf({ search }: PeopleFilter): RawBuilder<unknown> {
  const term = foldTerm(search)
  if (term === '') return sql`u.id desc`
  const address = foldEmail(search.trim())
  return sql`case
      when u.name_folded = ${term} or u.email_folded = ${address} then 0
      when ${beginsWith('u.name_folded', term)} then 1
      when ${beginsWith('u.email_folded', address)} then 2
      else 3
    end, u.username_folded`
}

interface FoundPeople {
  readonly people: ListedPerson[]
  readonly total: number
  readonly more: boolean
  readonly inviter: ProfileCard | null
}

/** Returns a page of 50, and the number of matches up to 500, which limits the pages. */
export async function listPeople(db: Db, filter: PeopleFilter): Promise<FoundPeople> {
  const offset = Math.min(((filter.page ?? 1) - 1) * ROWS_PER_PAGE, MOST_PEOPLE)
  const size = sql.lit(offset < MOST_PEOPLE ? ROWS_PER_PAGE : 0)
  const { rows } = await sql<(PersonRow | { id: null }) & { found: number }>`${CUSTOM_PLAN}
    with ${hitsOf(filter)}, page as materialized (
      select u.id, row_number() over (order by ${orderOf(filter)}) as place
      from hit join users u on u.id = hit.id order by place limit ${size} offset ${sql.lit(offset)}
    )
    select counted.found, shown.* from (select count(*) as found from hit) counted left join (
      select page.place, u.id, u.username, p.key as picture, u.email, u.role, u.suspended_at is not null as suspended,
        ${isUnconfirmed} as unconfirmed, b.net, u.created_at, (
          select max(s.rotated_at) from sessions s where s.user_id = u.id and s.revoked_at is null
        ) as seen
      from page join users u on u.id = page.id
      left join pictures p on p.id = u.picture_id left join point_balances b on b.user_id = u.id
    ) shown on true
    order by shown.place`.execute(db)
  const found = rows[0]?.found ?? 0
  return {
    people: rows
      .filter((row): row is PersonRow & { found: number } => row.id !== null)
      .map(toListed),
    total: Math.min(found, MOST_PEOPLE),
    more: found > MOST_PEOPLE,
    inviter: filter.invitedBy === undefined ? null : await findCard(db, filter.invitedBy),
  }
}

async function findCard(db: Db, id: string): Promise<ProfileCard | null> {
  const { rows } = await sql<{ name: string; picture: string | null }>`
    select u.username as name, p.key as picture from users u left join pictures p on p.id = u.picture_id
    where u.id = ${id} and u.erased_at is null`.execute(db)
  return rows[0] === undefined ? null : shownPerson(id, rows[0].name, rows[0].picture)
}

function toListed(row: PersonRow): ListedPerson {
  const { id, username, picture, email, role, suspended, unconfirmed, net, seen } = row
  return {
    id,
    userName: username,
    imageUrl: personImage(id, picture),
    email,
    role,
    suspended,
    unconfirmed,
    kbPoints: Math.max(0, net ?? 0),
    joined: row.created_at.toISOString(),
    seen: seen?.toISOString() ?? null,
  }
}
