/**
 * Mailed links work once and until they expire. The secret is derived from the row's id and the row stores only a
 * hash, so neither the database nor the outbox contains anything usable.
 */
import { createHash, createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { foldEmail } from '#server/people/accounts/claims.ts'
import { lockIdentity, type Identity } from '#server/people/accounts/identity.ts'
import { deriveKey } from '#server/people/accounts/sessions/tokens.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { invalidField } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'

const HOUR_MS = 60 * 60 * 1000
/** How long each kind works. */
const LIFE_MS = { reset: HOUR_MS, confirm: 168 * HOUR_MS, undo: 168 * HOUR_MS } as const
export type LinkKind = keyof typeof LIFE_MS

/** Returns the secret of a link from its token's id. It is computed when the mail is sent and stored nowhere. */
export type SecretOf = (tokenId: string) => string

/**
 * Derives secrets by HMAC from the server's own: a mail that is sent again contains the same link, and the
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
  /** The address that is confirmed, restored, or receives a reset; null for a link that isn't mailed. */
  readonly email: string | null
}

/** Returns the token's id. Only the newest reset works. */
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

/** Ends all reset links of everybody. */
export async function revokeResetLinks(db: DbOrTx, now: Date): Promise<void> {
  await sql`
    update account_tokens set used_at = ${now} where kind = 'reset' and used_at is null`.execute(db)
}

/** Ends undo links that would restore this address or that are newer than the link `since`. */
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

/** Counts the resets mailed to a person within the last hour. */
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

/** Returns the owner of a valid link, or null without a reason. */
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

/** Uses the link up; of several concurrent uses exactly one succeeds. */
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
 * Uses a link and performs its action in one transaction, so a refused action leaves the link unused. Locks the
 * person before the link, like everything else does.
 * @throws Refusal 400 for a link that is forged, expired, used, of another kind, or of somebody who is gone
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

/** Refuses unknown, used and expired links in the same way, so that nobody learns which links exist. */
export const linkInvalid = () => invalidField('token', 'linkInvalid')
