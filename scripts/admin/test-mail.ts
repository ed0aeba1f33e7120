/** Sends one mail at once, to see that the settings work. It doesn't use the outbox. */
import { resolveSettings } from '#server/kernel/settings/site-settings.ts'
import type { Config } from '#server/kernel/config.ts'
import { newId } from '#server/kernel/ids.ts'
import { isNeverMailed } from '#server/platform/mail/send.ts'
import { createDelivery, TIME_LIMITS } from '#server/platform/mail/transport.ts'
import { findPublicUrl } from '#server/kernel/process/running.ts'
import { Failure } from '#scripts/status.mjs'

/** Returns a message. @throws Failure that says what to do, MailFailure with the server's words */
export async function sendTestMail(config: Config, to: string): Promise<string> {
  if (config.SMTP_URL === undefined)
    throw new Failure('SMTP_URL is not set: set it to smtp://USER:PASSWORD@HOST:587.')
  if (!/^[^\s@]+@[^\s@]+$/.test(to)) throw new Failure(`"${to}" is not an e-mail address.`)
  for (const [name, address] of [
    ['The recipient', to],
    ['MAIL_FROM', config.MAIL_FROM],
  ] as const)
    if (isNeverMailed(address))
      throw new Failure(`${name} is an .example address, which never gets or sends mails.`)
  const publicUrl = await findPublicUrl(config)
  const { site } = resolveSettings(config.settings).settings.names.en
  const deliver = createDelivery(config.SMTP_URL, publicUrl, TIME_LIMITS)
  const now = new Date()
  const mail = {
    messageId: `<${newId(now.getTime())}@${new URL(publicUrl).hostname}>`,
    date: now,
    from: { name: site, address: config.MAIL_FROM },
    to,
    replyTo: null,
    subject: `${site}: test mail`,
    text: `${publicUrl} can send mails. Nobody needs to answer this one.\n`,
    html: null,
    headers: {},
  }
  await deliver(mail, AbortSignal.timeout(TIME_LIMITS.whole))
  return `${new URL(config.SMTP_URL).hostname} accepted a mail to ${to}. If it doesn't arrive, look into the spam folder, and at SPF and DKIM of ${config.MAIL_FROM.split('@').at(-1)}.`
}
