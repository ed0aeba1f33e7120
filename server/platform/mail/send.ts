import { domainToASCII } from 'node:url'
import { MAIL_RETRY_DAYS } from '#contract/limits.ts'
import type { Db } from '#server/platform/db/connect.ts'
import type { JobHandler } from '#server/platform/jobs/job.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Log } from '#server/kernel/log.ts'
import { traced } from '#server/kernel/traces/spans.ts'
import type { Current } from '#server/kernel/settings/site-settings.ts'
import { composeMail, type ComposingNeeds } from '#server/platform/mail/compose.ts'
import { queueMail, type OfMail } from '#server/platform/mail/outbox.ts'
import {
  claimMail,
  findClaimEnd,
  findWaitingMail,
  markSent,
  markUnsent,
  setAside,
  type WaitingMail,
} from '#server/platform/mail/store.ts'
import {
  createDelivery,
  MailFailure,
  TIME_LIMITS,
  type TimeLimits,
} from '#server/platform/mail/transport.ts'

export interface SendingNeeds extends Omit<ComposingNeeds, 'from' | 'names'> {
  readonly db: Db
  readonly clock: Clock
  readonly config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM'>
  readonly settings: Current<'names'>
  readonly log: Log
  /** Tests set shorter ones. */
  readonly limits?: TimeLimits
}

/**
 * In ms; an attempt that fails after this time is the last one. The queue retries after e^n seconds, at most e^10
 * (6 h 7 min): the 11th attempt comes 9 h 41 min after the first, and the 22nd, after 77 hours, ends it. The
 * queue's own limit of 25 is never reached.
 */
const GIVEN_UP_MS = MAIL_RETRY_DAYS * 24 * 60 * 60 * 1000

/** Handles SEND_MAIL. Returning means that nothing more is to do; errors are retried. */
export function createMailSender(needs: SendingNeeds): JobHandler<OfMail> {
  const { db, clock, config, log, publicUrl, limits = TIME_LIMITS } = needs
  const deliver =
    config.SMTP_URL === undefined ? null : createDelivery(config.SMTP_URL, publicUrl, limits)
  if (deliver !== null && isNeverMailed(config.MAIL_FROM))
    log.warn('MAIL_FROM is an .example address: mail servers refuse to send for it')
  let backoffUntil = 0

  /** @throws MailFailure */
  async function attempt(mail: WaitingMail, signal: AbortSignal): Promise<void> {
    // Jobs of other kinds must not wait until every mail has found out that the server hangs.
    if (performance.now() < backoffUntil) throw new MailFailure('The mail server hung a moment ago')
    const composed = composeMail(
      { ...needs, from: config.MAIL_FROM, names: needs.settings.current.names },
      mail,
    )
    try {
      await traced('SMTP send', 'client', {}, async () => deliver?.(composed, signal))
    } catch (error) {
      if (error instanceof MailFailure && error.hung)
        backoffUntil = performance.now() + limits.backoff
      throw error
    }
  }

  return async ({ id }, { signal }) => {
    const mail = await findWaitingMail(db, id)
    if (mail === null) return
    if (isUnwanted(mail)) return setAside(db, id, 'dropped')
    if (isNeverMailed(mail.address)) return setAside(db, id, 'kept')
    // It waits for SMTP_URL: see waiting.ts.
    if (deliver === null) return
    const tryingSince = await claimMail(db, id, clock.now())
    if (tryingSince === null) return requeue(db, id)
    try {
      await attempt(mail, signal)
    } catch (error) {
      const { permanent, message } = toMailFailure(error, log)
      const late = clock.now().getTime() - tryingSince.getTime() >= GIVEN_UP_MS
      const failed = permanent || late
      await markUnsent(db, id, { failed, reason: message })
      if (failed) return log.warn({ mail: id, reason: message }, 'a mail was given up')
      throw new MailFailure(message)
    }
    await markSent(db, id, clock.now())
  }
}

/** Another worker has the mail, or died with it, so this checks again when the claim ends. */
async function requeue(db: Db, id: number): Promise<void> {
  const end = await findClaimEnd(db, id)
  if (end !== null) await queueMail(db, id, end)
}

/** Returns true for domains that are never real (RFC 2606), in any spelling. */
export function isNeverMailed(address: string): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  return /(?:^|\.)example\.?$/i.test(domainToASCII(domain) || domain)
}

/**
 * Returns true if the recipient's account is gone, they have ended these notices, or they no longer get mails of
 * this sender.
 */
function isUnwanted({ notice, notices, erased, silenced, unread }: WaitingMail): boolean {
  // The person has already seen everything that it announces.
  const isKnown = unread?.length === 0
  return erased || silenced || isKnown || (notice?.optional === true && notices === false)
}

/**
 * Anything but a refusal of the server is a bug: it is logged, and administrators don't see its details with the
 * mail.
 */
function toMailFailure(error: unknown, log: Log): MailFailure {
  if (error instanceof MailFailure) return error
  log.error({ err: error }, 'a mail could not be written')
  return new MailFailure('It could not be written')
}
