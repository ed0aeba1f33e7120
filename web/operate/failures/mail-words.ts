import type { MailState } from '#contract/mail.ts'
import type { MessageKey } from '#contract/messages/messages.ts'

/** In the order of their tabs. */
export const MAIL_STATES = [
  'failed',
  'waiting',
  'held',
  'kept',
  'sent',
] as const satisfies readonly MailState[]

interface StateWords {
  readonly name: MessageKey
  /** Explains why a mail is in this state. */
  readonly what: MessageKey
  readonly none: MessageKey
}

export const MAIL_STATE_WORDS: Readonly<Record<MailState, StateWords>> = {
  failed: { name: 'mailsFailed', what: 'mailsFailedWhat', none: 'mailsNoneFailed' },
  waiting: { name: 'mailsWaiting', what: 'mailsWaitingWhat', none: 'mailsNoneWaiting' },
  held: { name: 'mailsHeld', what: 'mailsHeldWhat', none: 'mailsNoneHeld' },
  kept: { name: 'mailsKept', what: 'mailsKeptWhat', none: 'mailsNoneKept' },
  sent: { name: 'mailsSent', what: 'mailsSentWhat', none: 'mailsNoneSent' },
}

/** The keys are the contract's codes. */
export const MAIL_KINDS: Readonly<Record<string, MessageKey>> = {
  letter: 'mailKindLetter',
  report: 'mailKindReport',
  notice: 'mailKindNotice',
}
