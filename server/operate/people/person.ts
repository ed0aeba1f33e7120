import { sql } from 'kysely'
import type { Role } from '#contract/accounts.ts'
import type { OwnedItem, PersonFile } from '#contract/people.ts'
import type { ItemKind } from '#contract/points.ts'
import { personImage } from '#server/people/accounts/answer.ts'
import { listSessions } from '#server/people/accounts/sessions/own.ts'
import { toBalance } from '#server/people/points/ledger.ts'
import { listFlagsOf } from '#server/items/flags/list.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { notFound } from '#server/kernel/errors.ts'

const ITEMS = sql.lit(20)
/** Nobody's, because the sessions of others are never that of the call. */
const NO_SESSION = '00000000-0000-0000-0000-000000000000'

interface Row {
  readonly username: string
  readonly picture: string | null
  readonly about: string | null
  readonly email: string
  readonly previous_email: string | null
  readonly unconfirmed: boolean
  readonly role: Role
  readonly suspended_at: Date | null
  readonly suspended_reason: string | null
  readonly second_factor_at: Date | null
  readonly passkeys: number
  readonly created_at: Date
  readonly net: number
  readonly lessons: number
  readonly courses: number
  readonly comments: number
}

/** @throws Refusal 404, also for people who erased their account */
export async function showPerson(db: Db, id: string, now: Date): Promise<PersonFile> {
  const { rows } = await sql<Row>`
    select u.username, p.key as picture, u.about, u.email, u.previous_email, u.role, u.suspended_at, u.suspended_reason,
      u.second_factor_at, u.created_at, coalesce(b.net, 0) as net,
      u.email_confirmed_at is null and u.previous_email_confirmed_at is null as unconfirmed,
      (select count(*) from passkeys k where k.user_id = u.id) as passkeys,
      (select count(*) from lessons l where l.owner_id = u.id and l.deleted_at is null) as lessons,
      (select count(*) from courses k where k.owner_id = u.id and k.deleted_at is null) as courses,
      (select count(*) from comments c where c.user_id = u.id and c.deleted_at is null) as comments
    from users u left join pictures p on p.id = u.picture_id left join point_balances b on b.user_id = u.id
    where u.id = ${id} and u.erased_at is null`.execute(db)
  const [row] = rows
  if (row === undefined) throw notFound('profileNotFound')
  const [items, sessions, flagsAbout, flagsBy] = await Promise.all([
    listItems(db, id),
    listSessions(db, { id, sessionId: NO_SESSION }, now),
    listFlagsOf(db, id, 'about'),
    listFlagsOf(db, id, 'by'),
  ])
  const { lessons, courses, comments, passkeys } = row
  return {
    id,
    userName: row.username,
    imageUrl: personImage(id, row.picture),
    about: row.about ?? '',
    email: row.email,
    previousEmail: row.previous_email,
    unconfirmed: row.unconfirmed,
    role: row.role,
    suspended: row.suspended_at !== null,
    suspension: row.suspended_at && {
      date: row.suspended_at.toISOString(),
      reason: row.suspended_reason,
    },
    secondFactor: row.second_factor_at?.toISOString() ?? null,
    passkeys,
    joined: row.created_at.toISOString(),
    seen:
      sessions
        .map(({ seen }) => seen)
        .toSorted()
        .at(-1) ?? null,
    ...toBalance(row.net),
    counts: { lessons, courses, comments },
    items,
    sessions,
    flagsAbout,
    flagsBy,
  }
}

interface ItemRow {
  readonly kind: ItemKind
  readonly id: number
  readonly title: string
  readonly created_at: Date
}

/** The newest first. */
async function listItems(db: Db, ownerId: string): Promise<OwnedItem[]> {
  const { rows } = await sql<ItemRow>`
    (
      select 'lesson' as kind, l.id, c.title, l.created_at
      from lessons l join lesson_contents c on c.lesson_id = l.id
      where l.owner_id = ${ownerId} and l.deleted_at is null order by l.id desc limit ${ITEMS}
    ) union all (
      select 'course', k.id, c.title, k.created_at
      from courses k join course_contents c on c.course_id = k.id
      where k.owner_id = ${ownerId} and k.deleted_at is null order by k.id desc limit ${ITEMS}
    ) order by created_at desc limit ${ITEMS}`.execute(db)
  return rows.map(({ kind, id, title, created_at: date }) => ({
    kind,
    id,
    title,
    date: date.toISOString(),
  }))
}

/** @throws Refusal 404 for people who don't exist or erased their account */
export async function requirePresent(db: Db, id: string): Promise<void> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw notFound('profileNotFound')
}
