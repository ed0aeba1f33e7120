/**
 * Mailed links: each works once and until it ends. A link's secret is derived from the id of its row, and the row
 * stores only a hash, so that neither the database nor the outbox holds anything that could be used.
 */
import { createHash, createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { foldEmail } from '#server/accounts/claims.ts'
import { lockIdentity, type Identity } from '#server/accounts/identity.ts'
import { deriveKey } from '#server/accounts/sessions/tokens.ts'
import type { Db, DbOrTx, Tx } from '#server/db/connect.ts'
import { invalidField } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'

const HOUR_MS = 60 * 60 * 1000
/** How long each kind works. */
const LIFE_MS = { reset: HOUR_MS, confirm: 168 * HOUR_MS, undo: 168 * HOUR_MS } as const
export type LinkKind = keyof typeof LIFE_MS

/** The secret in a link, by the id of its token; it is made when the mail is sent, and stored nowhere. */
export type SecretOf = (tokenId: string) => string

/**
 * Derives each link's secret from the server's own, by HMAC: a mail that is sent again carries the same link, and the
 * database alone opens none.
 */
export function createLinkSecrets(secret: string): SecretOf {
  const key = deriveKey(secret, 'links')
  return (tokenId) => createHmac('sha256', key).update(tokenId).digest('base64url')
}

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

export interface NewLink {
  readonly kind: LinkKind
  readonly userId: string
  /** The address that is confirmed or given back, or that a reset is mailed to; null for one that is not mailed. */
  readonly email: string | null
}

/** Answers the token's id. Of resets only the newest works. */
export async function addLink(
  tx: Tx,
  secretOf: SecretOf,
  { kind, userId, email }: NewLink,
  now: Date,
): Promise<string> {
  if (kind === 'reset') await endLinks(tx, userId, ['reset'], now)
  const id = newId(now.getTime())
  await tx
    .insertInto('account_tokens')
    .values({
      id,
      user_id: userId,
      kind,
      hash: hashOf(secretOf(id)),
      email,
      email_folded: email === null ? null : foldEmail(email),
      created_at: now,
      expires_at: new Date(now.getTime() + LIFE_MS[kind]),
    })
    .execute()
  return id
}

/** Ends the links of these kinds that a person has. */
export async function endLinks(
  tx: Tx,
  userId: string,
  kinds: readonly LinkKind[],
  now: Date,
): Promise<void> {
  await tx
    .updateTable('account_tokens')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('kind', 'in', kinds)
    .where('used_at', 'is', null)
    .execute()
}

/** Ends the links of everybody that set a password. */
export async function revokeResetLinks(db: DbOrTx, now: Date): Promise<void> {
  await sql`
    update account_tokens set used_at = ${now} where kind = 'reset' and used_at is null`.execute(db)
}

/** Ends what would give back this address, or one that came after the link `since`. */
export async function endUndoLinks(
  tx: Tx,
  userId: string,
  { email, since }: { email: string; since?: string },
  now: Date,
): Promise<void> {
  const isThis = sql<boolean>`email_folded = ${foldEmail(email)}`
  const isLater = sql<boolean>`created_at > (select t.created_at from account_tokens t where t.id = ${since ?? null})`
  await tx
    .updateTable('account_tokens')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('kind', '=', 'undo')
    .where('used_at', 'is', null)
    .where((is) => is.or([isThis, isLater]))
    .execute()
}

/** How many resets were mailed to a person within the hour. */
export async function countMailedResets(tx: Tx, userId: string, now: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('account_tokens')
    .select((each) => each.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('kind', '=', 'reset')
    .where('email', 'is not', null)
    .where('created_at', '>', new Date(now.getTime() - HOUR_MS))
    .executeTakeFirstOrThrow()
  return count
}

/** Whose link this is, while it works; null for all others alike. */
export async function findLinkHolder(
  db: DbOrTx,
  kind: LinkKind,
  secret: string,
  now: Date,
): Promise<string | null> {
  const row = await db
    .selectFrom('account_tokens')
    .select('user_id')
    .where('hash', '=', hashOf(secret))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.user_id ?? null
}

/** Uses a link up; of several uses at once exactly one gets it. */
async function takeLink(tx: Tx, kind: LinkKind, secret: string, now: Date) {
  return tx
    .updateTable('account_tokens')
    .set({ used_at: now })
    .where('hash', '=', hashOf(secret))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['id', 'email'])
    .executeTakeFirst()
}

export interface SpentLink {
  readonly id: string
  readonly userId: string
  readonly email: string | null
  /** Locked until the transaction ends. */
  readonly person: Identity
}

/**
 * Uses a link and does what it is for in one transaction, in which its person is locked before the link is, as
 * everywhere: what is refused leaves the link as it was.
 * @throws Refusal 400 for what is forged, ended, used, of another kind, or of somebody who is gone
 */
export async function spendLink<Value>(
  db: Db,
  kind: LinkKind,
  secret: string,
  now: Date,
  act: (tx: Tx, link: SpentLink) => Promise<Value>,
): Promise<Value> {
  const userId = await findLinkHolder(db, kind, secret, now)
  if (userId === null) throw linkInvalid()
  return db.transaction().execute(async (tx) => {
    const person = await lockIdentity(tx, userId)
    const link = person === null ? undefined : await takeLink(tx, kind, secret, now)
    if (person === null || link === undefined) throw linkInvalid()
    return act(tx, { ...link, userId, person })
  })
}

/**
 * The answer to a link that is unknown, used or too old. It is one for all three, so that it tells nothing about
 * which links exist.
 */
export const linkInvalid = () => invalidField('token', 'linkInvalid')
