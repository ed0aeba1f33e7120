/**
 * Mails about an account; each is written in the transaction of the change it announces, with the link that
 * belongs to it.
 */
import type { Scope } from '#contract/endpoint.ts'
import { message } from '#contract/message.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import type { Identity } from '#server/people/accounts/identity.ts'
import { addLink, type LinkKind, type SecretOf } from '#server/people/accounts/mails/links.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import { addNoticeLater } from '#server/platform/mail/outbox.ts'

interface Words {
  readonly subject: MessageKey
  readonly lines: readonly MessageKey[]
  readonly label: MessageKey
  /** Below the public address. */
  readonly path: string
}

const CONFIRM = '/email/confirm?token={token}'
const UNDO = '/email/undo?token={token}'
const RESET = '/password/reset?token={token}'

const LINKED = {
  /** Goes to a new address, which it confirms. */
  confirm: {
    kind: 'confirm',
    subject: 'mailConfirmSubject',
    lines: ['mailConfirmWhat', 'mailConfirmEnds', 'mailConfirmNotYou'],
    label: 'mailConfirmLink',
    path: CONFIRM,
  },
  /** Goes to the previous address, which it restores. */
  undo: {
    kind: 'undo',
    subject: 'mailUndoSubject',
    lines: ['mailUndoWhat', 'mailUndoNotYou', 'mailUndoEnds'],
    label: 'mailUndoLink',
    path: UNDO,
  },
  reset: {
    kind: 'reset',
    subject: 'mailResetSubject',
    lines: ['mailResetWhat', 'mailResetEnds', 'mailResetNotYou'],
    label: 'mailResetLink',
    path: RESET,
  },
  /** Goes to a restored address: whoever changed it may still know the password. */
  undone: {
    kind: 'reset',
    subject: 'mailUndoneSubject',
    lines: ['mailUndoneWhat', 'mailUndonePassword', 'mailUndoneEnds'],
    label: 'mailResetLink',
    path: RESET,
  },
} as const satisfies Record<string, Words & { kind: LinkKind }>

const NEW_PASSWORD: Words = {
  subject: 'mailPasswordSubject',
  lines: ['mailPasswordWhat', 'mailPasswordNotYou'],
  label: 'mailPasswordLink',
  path: '/password/forgot',
}

const EXPORT: Words = {
  subject: 'mailExportSubject',
  lines: ['mailExportWhat', 'mailExportEnds', 'mailFactorNotYou'],
  label: 'mailExportLink',
  path: '/profile/update#take-along',
}

/** Changes of the app, recovery codes and passkeys; `passkeyLast`: the last factor was removed. */
export type FactorNotice =
  | 'on'
  | 'off'
  | 'appOff'
  | 'recovered'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'passkeyLast'
  | 'identityAdded'
  | 'identityRemoved'

const FACTOR: Readonly<Record<FactorNotice, Words>> = {
  on: {
    subject: 'mailFactorOnSubject',
    lines: ['mailFactorOnWhat', 'mailFactorNotYou'],
    label: 'mailPasswordLink',
    path: '/password/forgot',
  },
  off: {
    subject: 'mailFactorOffSubject',
    lines: ['mailFactorOffWhat', 'mailFactorNotYou'],
    label: 'mailPasswordLink',
    path: '/password/forgot',
  },
  appOff: {
    subject: 'mailAppOffSubject',
    lines: ['mailAppOffWhat', 'mailFactorNotYou'],
    label: 'mailPasswordLink',
    path: '/password/forgot',
  },
  passkeyAdded: {
    subject: 'mailPasskeyAddedSubject',
    lines: ['mailPasskeyAddedWhat', 'mailPasskeyNotYou'],
    label: 'mailPasskeyLink',
    path: '/profile/update',
  },
  passkeyRemoved: {
    subject: 'mailPasskeyRemovedSubject',
    lines: ['mailPasskeyRemovedWhat', 'mailPasskeyNotYou'],
    label: 'mailPasskeyLink',
    path: '/profile/update',
  },
  passkeyLast: {
    subject: 'mailPasskeyRemovedSubject',
    lines: ['mailPasskeyRemovedWhat', 'mailFactorOffWhat', 'mailPasskeyNotYou'],
    label: 'mailPasskeyLink',
    path: '/profile/update',
  },
  identityAdded: {
    subject: 'mailIdentityAddedSubject',
    lines: ['mailIdentityAddedWhat', 'mailIdentityNotYou'],
    label: 'mailIdentityLink',
    path: '/profile/update',
  },
  identityRemoved: {
    subject: 'mailIdentityRemovedSubject',
    lines: ['mailIdentityRemovedWhat', 'mailIdentityNotYou'],
    label: 'mailIdentityLink',
    path: '/profile/update',
  },
  recovered: {
    subject: 'mailRecoveredSubject',
    lines: ['mailRecoveredWhat', 'mailFactorNotYou'],
    label: 'mailPasswordLink',
    path: '/password/forgot',
  },
}

/** Leaves out the token's name: somebody who registers with a stranger's address could write to them with it. */
const TOKEN_MADE: Words = {
  subject: 'mailTokenSubject',
  lines: ['mailTokenWhat', 'mailTokenNotYou'],
  label: 'mailTokenLink',
  path: '/profile/tokens',
}

export interface NoticeTo {
  readonly userId: string
  readonly person: Pick<Identity, 'username' | 'locale'>
  readonly address: string
}

/** Creates the link of a notice and puts the notice into the outbox. */
export async function mailLink(
  tx: Tx,
  secretOf: SecretOf,
  what: keyof typeof LINKED,
  to: NoticeTo,
  now: Date,
): Promise<void> {
  const { kind, ...words } = LINKED[what]
  const tokenId = await addLink(tx, secretOf, { kind, userId: to.userId, email: to.address }, now)
  await put(tx, to, words, tokenId, now)
}

export async function mailNewPassword(tx: Tx, to: NoticeTo, now: Date): Promise<void> {
  await put(tx, to, NEW_PASSWORD, undefined, now)
}

/** Links to the account page instead of the copy, so the mail reveals nothing. */
export async function mailExport(tx: Tx, to: NoticeTo, now: Date): Promise<void> {
  await put(tx, to, EXPORT, undefined, now)
}

export async function mailFactor(
  tx: Tx,
  what: FactorNotice,
  to: NoticeTo,
  now: Date,
): Promise<void> {
  await put(tx, to, FACTOR[what], undefined, now)
}

export async function mailNewToken(
  tx: Tx,
  scopes: readonly Scope[],
  to: NoticeTo,
  now: Date,
): Promise<void> {
  await put(tx, to, TOKEN_MADE, undefined, now, { scopes: scopes.join(', ') })
}

async function put(
  tx: Tx,
  { userId, person, address }: NoticeTo,
  { subject, lines, label, path }: Words,
  tokenId: string | undefined,
  now: Date,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { locale } = person
  const username = breakLinks(person.username)
  const notice = {
    subject: message(subject, { username }),
    lines: lines.map((line) => message(line, { username, ...more })),
    link: { label: message(label), path },
    ...(tokenId !== undefined && { tokenId }),
  }
  await addNoticeLater(tx, { userId, address, locale }, notice, now)
}

/**
 * A name like `evil.com` would become a link in mail programs, in a mail of ours to any address that its owner
 * enters.
 */
const breakLinks = (username: string): string => username.replaceAll('.', '.\u2060')
