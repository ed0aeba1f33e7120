import { sql, type RawBuilder } from 'kysely'
import type { InvitationState } from '#contract/door.ts'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import type { Invitation } from '#contract/invitations.ts'
import { shownPerson } from '#server/people/accounts/answer.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'

const byNobodySuspended = sql<boolean>`not exists (
  select from users inviter where inviter.id = inviter_id and inviter.suspended_at is not null
)`

export interface NewInvitation {
  readonly hash: Buffer
  readonly inviterId: string
  readonly uses: number
  readonly createdAt: Date
  readonly expiresAt: Date
}

export async function insertInvitation(tx: Tx, invitation: NewInvitation): Promise<number> {
  const { id } = await tx
    .insertInto('invitations')
    .values({
      hash: invitation.hash,
      inviter_id: invitation.inviterId,
      uses: invitation.uses,
      created_at: invitation.createdAt,
      expires_at: invitation.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Counts the invitations of a locked person that can still be used. */
export async function countOpen(tx: Tx, inviterId: string, now: Date): Promise<number> {
  const { open } = await tx
    .selectFrom('invitations')
    .select((where) => where.fn.countAll<number>().as('open'))
    .where('inviter_id', '=', inviterId)
    .where('withdrawn_at', 'is', null)
    .where('expires_at', '>', now)
    .whereRef('used', '<', 'uses')
    .executeTakeFirstOrThrow()
  return open
}

/** Takes one use. Of several registrations at once for the last one, one gets it; the others get null. */
export async function takeUse(tx: Tx, hash: Buffer, now: Date): Promise<number | null> {
  const row = await tx
    .updateTable('invitations')
    .set({ used: sql<number>`used + 1` })
    .where('hash', '=', hash)
    .where('withdrawn_at', 'is', null)
    .where('expires_at', '>', now)
    .whereRef('used', '<', 'uses')
    .where(byNobodySuspended)
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

export async function insertInvited(tx: Tx, userId: string, invitationId: number): Promise<void> {
  await tx
    .insertInto('invited_people')
    .values({ user_id: userId, invitation_id: invitationId })
    .execute()
}

const stateAt = (now: Date) => sql<InvitationState>`
  case when withdrawn_at is not null or not ${byNobodySuspended} then 'withdrawn' when used >= uses then 'used'
    when expires_at <= ${now} then 'expired' else 'valid' end`

export async function findState(db: DbOrTx, hash: Buffer, now: Date): Promise<InvitationState> {
  const row = await db
    .selectFrom('invitations')
    .select(stateAt(now).as('state'))
    .where('hash', '=', hash)
    .executeTakeFirst()
  return row?.state ?? 'unknown'
}

/** Returns false if there is no such invitation or it is withdrawn already. */
export async function withdraw(tx: Tx, id: number, now: Date): Promise<boolean> {
  const row = await tx
    .updateTable('invitations')
    .set({ withdrawn_at: now })
    .where('id', '=', id)
    .where('withdrawn_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

const MOST_CAME = 100

const personOf = sql`json_build_object('id', u.id, 'name', u.username, 'key', p.key)`

interface ListedPerson {
  readonly id: string
  readonly name: string
  readonly key: string | null
}

interface Row extends Omit<Invitation, 'createdAt' | 'expiresAt' | 'inviter' | 'came'> {
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly inviter: ListedPerson
  readonly came: readonly ListedPerson[]
}

/** Newest first. */
export async function listInvitations(
  db: DbOrTx,
  { page, now }: { readonly page: number; readonly now: Date },
): Promise<Invitation[]> {
  const { rows } = await sql<Row>`
    select i.id, i.uses, i.used, i.created_at as "createdAt", i.expires_at as "expiresAt", ${stateAt(now)} as state,
      (select ${personOf} from users u left join pictures p on p.id = u.picture_id where u.id = i.inviter_id) as inviter,
      coalesce((select json_agg(came.person) from (
        select ${personOf} as person from invited_people v join users u on u.id = v.user_id
        left join pictures p on p.id = u.picture_id
        where v.invitation_id = i.id order by u.id limit ${MOST_CAME}
      ) came), '[]') as came
    from invitations i order by i.id desc
    limit ${sql.lit(ROWS_PER_PAGE)} offset ${(page - 1) * ROWS_PER_PAGE}`.execute(db)
  return rows.map((row) => ({
    ...row,
    inviter: cardOf(row.inviter),
    came: row.came.map(cardOf),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }))
}

const cardOf = ({ id, name, key }: ListedPerson) => shownPerson(id, name, key)

/** Days for which ended invitations are listed. */
const ENDED_DAYS = 90
const DAY_MS = 24 * 60 * 60 * 1000
/** Invitations per run. The others follow a minute later. */
const BATCH = 1000

/** Deletes invitations that ended long ago. Who invited whom is stored as long as both have accounts. */
export async function clearInvitations(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - ENDED_DAYS * DAY_MS)
  await sql`
    with ended as materialized (
      select id, inviter_id from invitations where least(withdrawn_at, expires_at) < ${before}
      order by id limit ${sql.lit(BATCH)} for update skip locked
    ), came as (
      delete from invited_people v using ended where v.invitation_id = ended.id returning v.user_id, ended.inviter_id
    ), moved as (
      insert into inviters (user_id, inviter_id) select user_id, inviter_id from came
    )
    delete from invitations i using ended where i.id = ended.id`.execute(db)
}

/** Selects the ids of the people who came by an invitation of this person. */
export const invitedBy = (inviterId: string): RawBuilder<unknown> => sql`
  select v.user_id from invitations i join invited_people v on v.invitation_id = i.id where i.inviter_id = ${inviterId}
  union all select user_id from inviters where inviter_id = ${inviterId}`

/** Deletes the person's invitations and by which one they came. */
export async function forgetInvitations(db: DbOrTx, userId: string): Promise<void> {
  await sql`
    delete from invited_people where user_id = ${userId}
      or invitation_id in (select id from invitations where inviter_id = ${userId})`.execute(db)
  await sql`delete from inviters where user_id = ${userId} or inviter_id = ${userId}`.execute(db)
  await db.deleteFrom('invitations').where('inviter_id', '=', userId).execute()
}
