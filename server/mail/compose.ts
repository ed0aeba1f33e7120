/** A row of the outbox as a mail: what people wrote as it is, what we write in the recipient's language. */
import { message } from '#contract/message.ts'
import type { Locale } from '#contract/messages/messages.ts'
import { translate, translatePacked } from '#server/kernel/messages.ts'
import { html, type Html } from '#server/mail/html.ts'
import { toOneLine, type Notice } from '#server/mail/outbox.ts'

/** What is kept of a mail that is to be sent. */
export interface KeptMail {
  readonly message_id: string
  readonly user_id: string | null
  readonly address: string
  readonly reply_to: string | null
  readonly subject: string
  readonly text: string | null
  readonly notice: Notice | null
  readonly locale: Locale
  readonly created_at: Date
}

export interface ComposingNeeds {
  /** The sender of all mails. */
  readonly from: string
  /** Origin of the links. */
  readonly publicUrl: string
  /** The secret of a mailed link, by the id of its token. */
  readonly secretOf: (tokenId: string) => string
  /** What ends a person's notices, by their id. */
  readonly unsubscribeTokenOf: (userId: string) => string
}

export interface ComposedMail {
  readonly messageId: string
  readonly date: Date
  readonly from: { readonly name: string; readonly address: string }
  readonly to: string
  readonly replyTo: string | null
  readonly subject: string
  readonly text: string
  /** Only of notices. */
  readonly html: string | null
  readonly headers: Readonly<Record<string, string>>
}

/** The same at each attempt, so that a mail which comes twice is seen to be one. */
export function composeMail(needs: ComposingNeeds, mail: KeptMail): ComposedMail {
  const { from, publicUrl } = needs
  const common = {
    messageId: `<${mail.message_id}@${new URL(publicUrl).hostname}>`,
    date: mail.created_at,
    from: { name: translate(mail.locale, 'brand'), address: from },
    to: mail.address,
    replyTo: mail.reply_to,
  }
  if (mail.notice !== null) return { ...common, ...composeNotice(needs, mail, mail.notice) }
  const { subject, text } = mail
  return { ...common, subject: toOneLine(subject), text: text ?? '', html: null, headers: {} }
}

function composeNotice(needs: ComposingNeeds, { locale, user_id }: KeptMail, notice: Notice) {
  const words = (packed: string) => translatePacked(locale, packed)
  const ending = user_id === null ? null : endingOf(needs, user_id)
  const letter: Letter = {
    locale,
    subject: toOneLine(words(notice.subject)),
    lines: notice.lines.map(words),
    link: linkOf(needs, notice, words),
    ending: notice.optional === true ? ending : null,
  }
  const headers: Record<string, string> = { 'Auto-Submitted': 'auto-generated' }
  if (ending !== null) {
    headers['List-Unsubscribe'] = `<${ending}>`
    headers['List-Unsubscribe-Post'] = 'List-Unsubscribe=One-Click'
  }
  return { subject: letter.subject, text: writeText(letter), html: writeHtml(letter), headers }
}

const endingOf = ({ publicUrl, unsubscribeTokenOf }: ComposingNeeds, userId: string) =>
  `${publicUrl}/email/unsubscribe?token=${encodeURIComponent(unsubscribeTokenOf(userId))}`

function linkOf(
  { publicUrl, secretOf }: ComposingNeeds,
  { link, tokenId }: Notice,
  words: (packed: string) => string,
): Letter['link'] {
  if (link === undefined) return null
  const secret = tokenId === undefined ? '' : encodeURIComponent(secretOf(tokenId))
  return {
    label: words(link.label),
    address: `${publicUrl}${link.path.replaceAll('{token}', () => secret)}`,
  }
}

interface Letter {
  readonly locale: Locale
  readonly subject: string
  readonly lines: readonly string[]
  readonly link: { readonly label: string; readonly address: string } | null
  /** The address that ends such notices; null for those that can't be ended. */
  readonly ending: string | null
}

function footerOf(locale: Locale): string {
  return translatePacked(locale, message('mailFooterWhy', { brand: translate(locale, 'brand') }))
}

function writeText({ locale, lines, link, ending }: Letter): string {
  const end = ending === null ? '' : `\n${translate(locale, 'mailFooterEnd')}: ${ending}`
  return [
    ...lines,
    ...(link === null ? [] : [`${link.label}:\n${link.address}`]),
    `-- \n${footerOf(locale)}${end}\n`,
  ].join('\n\n')
}

/** Colours that stand on light and on dark alike; everything else is the reader's own. */
const FRAME =
  'max-width:34em;margin:0 auto;padding:24px 16px;font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif'
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#0e5f49;color:#ffffff;font-weight:600;text-decoration:none'
const FOOTER = 'margin:32px 0 0;padding-top:12px;border-top:1px solid #8a938c;font-size:14px'

function writeHtml({ locale, subject, lines, link, ending }: Letter): string {
  const paragraphs = lines.map((line) => html`<p style="margin:0 0 16px">${line}</p>`)
  const step =
    link === null
      ? ''
      : html`<p style="margin:24px 0 8px">
            <a href="${link.address}" style="${BUTTON}">${link.label}</a>
          </p>
          <p style="margin:0 0 16px;font-size:14px;word-break:break-all">${link.address}</p>`
  const end: Html | string =
    ending === null
      ? ''
      : html`<br /><a href="${ending}" style="color:inherit"
            >${translate(locale, 'mailFooterEnd')}</a
          >`
  return html`<!doctype html>
    <html lang="${locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${subject}</title>
      </head>
      <body style="margin:0">
        <div style="${FRAME}">
          <p style="margin:0 0 24px;font-weight:700">${translate(locale, 'brand')}</p>
          ${paragraphs}${step}
          <p style="${FOOTER}">${footerOf(locale)}${end}</p>
        </div>
      </body>
    </html> `.markup
}
