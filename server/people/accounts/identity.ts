/** What people edit about themselves in `users`: name, address, picture, options. */
import { sql } from 'kysely'
import { foldTerm } from '#contract/fold.ts'
import type { Locale } from '#contract/messages/messages.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import { foldEmail } from '#server/people/accounts/claims.ts'
import { foldCase, skeleton } from '#server/kernel/text/fold.ts'

/** `previousEmail` is set while a change of the address is unconfirmed. */
export interface Identity {
  readonly username: string
  readonly email: string
  readonly emailConfirmedAt: Date | null
  readonly previousEmail: string | null
  readonly previousEmailConfirmedAt: Date | null
  readonly hideEmail: boolean
  /** Whether the person wants mails that the account doesn't need. */
  readonly notices: boolean
  /** Null for none. */
  readonly about: string | null
  readonly pageHidden: boolean
  readonly passwordHash: string
  readonly pictureId: number | null
  /** The language of mails. */
  readonly locale: Locale
}

/** Mails go to the previous address until a changed one is confirmed. */
export const mailAddressOf = ({ email, previousEmail }: Identity): string => previousEmail ?? email

/** Locks a person until the transaction ends, so that concurrent edits see each other's results. */
export async function lockIdentity(tx: Tx, userId: string): Promise<Identity | null> {
  const row = await tx
    .selectFrom('users')
    .select([
      'username',
      'email',
      'email_confirmed_at as emailConfirmedAt',
      'previous_email as previousEmail',
      'previous_email_confirmed_at as previousEmailConfirmedAt',
      'hide_email as hideEmail',
      'notices',
      'about',
      'page_hidden as pageHidden',
      'password_hash as passwordHash',
      'picture_id as pictureId',
      sql<Locale>`locale`.as('locale'),
    ])
    .where('id', '=', userId)
    .where('erased_at', 'is', null)
    // Takes the strongest row lock, because name and address are keys: a weaker lock would have to be upgraded.
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

/** The person must be locked; `pictureId` null keeps the picture. */
export async function writeIdentity(
  tx: Tx,
  userId: string,
  wanted: Pick<
    Identity,
    'username' | 'email' | 'hideEmail' | 'notices' | 'about' | 'pageHidden'
  > & {
    readonly pictureId: number | null
  },
  stored: Identity,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      username: wanted.username,
      username_skeleton: skeleton(wanted.username),
      username_folded: foldCase(wanted.username),
      name_folded: foldTerm(wanted.username),
      hide_email: wanted.hideEmail,
      notices: wanted.notices,
      about: wanted.about,
      page_hidden: wanted.pageHidden,
      ...(wanted.pictureId !== null && { picture_id: wanted.pictureId }),
      ...addressColumns(wanted.email, stored),
    })
    .where('id', '=', userId)
    .execute()
}

/** The person must be locked. */
export async function writeAbout(tx: Tx, userId: string, about: string | null): Promise<void> {
  await tx.updateTable('users').set({ about }).where('id', '=', userId).execute()
}

/** The person must be locked, and must have proven that the address is theirs. */
export async function writeConfirmedAddress(
  tx: Tx,
  userId: string,
  email: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      email,
      email_folded: foldEmail(email),
      email_confirmed_at: now,
      previous_email: null,
      previous_email_folded: null,
      previous_email_confirmed_at: null,
    })
    .where('id', '=', userId)
    .execute()
}

/**
 * A new address is unconfirmed and keeps the previous one. Over several changes the first one stays, because only
 * that one was ever confirmed. Going back to it undoes the change.
 */
function addressColumns(email: string, stored: Identity) {
  if (foldEmail(email) === foldEmail(stored.email)) return { email }
  const before = stored.previousEmail ?? stored.email
  const confirmedAt =
    stored.previousEmail === null ? stored.emailConfirmedAt : stored.previousEmailConfirmedAt
  const isBack = foldEmail(email) === foldEmail(before)
  return {
    email,
    email_folded: foldEmail(email),
    email_confirmed_at: isBack ? confirmedAt : null,
    previous_email: isBack ? null : before,
    previous_email_folded: isBack ? null : foldEmail(before),
    previous_email_confirmed_at: isBack ? null : confirmedAt,
  }
}
