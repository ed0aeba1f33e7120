/** What is mailed about an account: each notice in the transaction of what it tells, with the link that goes with it. */
import { message } from '#contract/message.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import type { Identity } from '#server/accounts/identity.ts'
import { addLink, type LinkKind, type SecretOf } from '#server/accounts/mails/links.ts'
import type { Tx } from '#server/db/connect.ts'
import { addNoticeLater } from '#server/mail/outbox.ts'

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
  /** To a new address, which it confirms. */
  confirm: {
    kind: 'confirm',
    subject: 'mailConfirmSubject',
    lines: ['mailConfirmWhat', 'mailConfirmEnds', 'mailConfirmNotYou'],
    label: 'mailConfirmLink',
    path: CONFIRM,
  },
  /** To the address before it, which it brings back. */
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
  /** To an address that was brought back: who changed it may still have the password. */
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

export interface NoticeTo {
  readonly userId: string
  readonly person: Pick<Identity, 'username' | 'locale'>
  readonly address: string
}

/** Makes the link of a notice and puts the notice into the outbox. */
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

/** Tells that there is a new password. */
export async function mailNewPassword(tx: Tx, to: NoticeTo, now: Date): Promise<void> {
  await put(tx, to, NEW_PASSWORD, undefined, now)
}

async function put(
  tx: Tx,
  { userId, person, address }: NoticeTo,
  { subject, lines, label, path }: Words,
  tokenId: string | undefined,
  now: Date,
): Promise<void> {
  const { locale } = person
  const username = unlink(person.username)
  const notice = {
    subject: message(subject, { username }),
    lines: lines.map((line) => message(line, { username })),
    link: { label: message(label), path },
    ...(tokenId !== undefined && { tokenId }),
  }
  await addNoticeLater(tx, { userId, address, locale }, notice, now)
}

/** `evil.com` is a name; mail programs would make a link of it, in a mail of ours to whomever its bearer names. */
const unlink = (username: string): string => username.replaceAll('.', '.\u2060')
