import { sql } from 'kysely'
import type { InvitationState } from '#contract/door.ts'
import type { Invitation } from '#contract/invitations.ts'
import { shownPerson } from '#server/people/accounts/answer.ts'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'

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

const MOST_LISTED = 200
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

export async function listInvitations(db: DbOrTx, now: Date): Promise<Invitation[]> {
  const { rows } = await sql<Row>`
    select i.id, i.uses, i.used, i.created_at as "createdAt", i.expires_at as "expiresAt", ${stateAt(now)} as state,
      (select ${personOf} from users u left join pictures p on p.id = u.picture_id where u.id = i.inviter_id) as inviter,
      coalesce((select json_agg(came.person) from (
        select ${personOf} as person from invited_people v join users u on u.id = v.user_id
        left join pictures p on p.id = u.picture_id
        where v.invitation_id = i.id order by u.id limit ${MOST_CAME}
      ) came), '[]') as came
    from invitations i order by i.id desc limit ${MOST_LISTED}`.execute(db)
  return rows.map((row) => ({
    ...row,
    inviter: cardOf(row.inviter),
    came: row.came.map(cardOf),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }))
}

const cardOf = ({ id, name, key }: ListedPerson) => shownPerson(id, name, key)

/** Deletes the person's invitations and by which one they came. */
export async function forgetInvitations(db: DbOrTx, userId: string): Promise<void> {
  await sql`
    delete from invited_people where user_id = ${userId}
      or invitation_id in (select id from invitations where inviter_id = ${userId})`.execute(db)
  await sql`delete from inviters where user_id = ${userId} or inviter_id = ${userId}`.execute(db)
  await db.deleteFrom('invitations').where('inviter_id', '=', userId).execute()
}
