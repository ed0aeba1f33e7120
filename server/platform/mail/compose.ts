/** Composes mails from the outbox: people's texts unchanged, ours in the recipient's language. */
import type { Locale } from '#contract/messages/messages.ts'
import { siteNameIn, type SiteNames } from '#contract/site.ts'
import { translate, translatePacked } from '#server/kernel/text/messages.ts'
import { html, type Html } from '#server/platform/mail/html.ts'
import { joinLines, toOneLine, type Notice } from '#server/platform/mail/outbox.ts'

export interface StoredMail {
  readonly message_id: string
  readonly user_id: string | null
  readonly address: string
  readonly reply_to: string | null
  readonly subject: string
  readonly text: string | null
  readonly notice: Notice | null
  readonly locale: Locale
  readonly created_at: Date
  /** Parts of the notice that are still unread; null or absent means all of them. */
  readonly unread?: readonly number[] | null
}

export interface ComposingNeeds {
  /** The names of the site, which sends all mails. */
  readonly names: SiteNames
  /** The sender's address. */
  readonly from: string
  /** Origin of the links. */
  readonly publicUrl: string
  /** Returns the secret of a mailed link from the id of its token. */
  readonly secretOf: (tokenId: string) => string
  /** Returns the token that ends a person's notices. */
  readonly unsubscribeTokenOf: (userId: string, kind?: string) => string
}

export interface ComposedMail {
  readonly messageId: string
  readonly date: Date
  readonly from: { readonly name: string; readonly address: string }
  readonly to: string
  readonly replyTo: string | null
  readonly subject: string
  readonly text: string
  /** Only notices have HTML. */
  readonly html: string | null
  readonly headers: Readonly<Record<string, string>>
}

/** Composes the same mail at each attempt, so that a duplicate is recognized. */
export function composeMail(needs: ComposingNeeds, mail: StoredMail): ComposedMail {
  const { from, publicUrl } = needs
  const common = {
    messageId: `<${mail.message_id}@${new URL(publicUrl).hostname}>`,
    date: mail.created_at,
    from: { name: siteNameIn(needs.names, mail.locale).site, address: from },
    to: mail.address,
    replyTo: mail.reply_to,
  }
  if (mail.notice !== null) return { ...common, ...composeNotice(needs, mail, mail.notice) }
  const { subject, text } = mail
  return { ...common, subject: toOneLine(subject), text: text ?? '', html: null, headers: {} }
}

function composeNotice(
  needs: ComposingNeeds,
  { locale, user_id, unread = null }: StoredMail,
  notice: Notice,
) {
  const name = siteNameIn(needs.names, locale)
  const words = (packed: string) => translatePacked(locale, packed, name)
  const ending = user_id === null ? null : endingOf(needs, user_id, notice.ends)
  const letter: Letter = {
    locale,
    site: name.site,
    subject: joinLines(words(notice.subject)),
    lines: notice.lines.map(words),
    parts: (notice.parts ?? [])
      .filter(({ id }) => unread === null || unread.includes(id))
      .map(({ line, path }) => ({ label: words(line), address: `${needs.publicUrl}${path}` })),
    after: (notice.after ?? []).map(words),
    link: linkOf(needs, notice, words),
    ending: notice.optional === true ? ending : null,
    endings: (user_id === null ? [] : (notice.endings ?? [])).map(({ kind, label }) => ({
      label: words(label),
      address: endingOf(needs, user_id ?? '', kind),
    })),
  }
  const headers: Record<string, string> = { 'Auto-Submitted': 'auto-generated' }
  if (ending !== null) {
    headers['List-Unsubscribe'] = `<${ending}>`
    headers['List-Unsubscribe-Post'] = 'List-Unsubscribe=One-Click'
  }
  return { subject: letter.subject, text: writeText(letter), html: writeHtml(letter), headers }
}

const endingOf = (
  { publicUrl, unsubscribeTokenOf }: ComposingNeeds,
  userId: string,
  kind?: string,
) => `${publicUrl}/email/unsubscribe?token=${encodeURIComponent(unsubscribeTokenOf(userId, kind))}`

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

interface Linked {
  readonly label: string
  readonly address: string
}

interface Letter {
  readonly locale: Locale
  readonly site: string
  readonly subject: string
  readonly lines: readonly string[]
  readonly parts: readonly Linked[]
  readonly after: readonly string[]
  readonly link: Linked | null
  /** The URL that ends such notices; null for those that can't be ended. */
  readonly ending: string | null
  /** URLs that end only some kinds. */
  readonly endings: readonly Linked[]
}

function footerOf({ locale, site }: Letter): string {
  return translate(locale, 'mailFooterWhy', { site })
}

function writeText(letter: Letter): string {
  const { locale, lines, parts, after, link, ending, endings } = letter
  const end = ending === null ? '' : `\n${translate(locale, 'mailFooterEnd')}: ${ending}`
  const ends = endings.map(({ label, address }) => `\n${label}: ${address}`).join('')
  return [
    ...lines,
    ...parts.map(({ label, address }) => `* ${label}\n  ${address}`),
    ...after,
    ...(link === null ? [] : [`${link.label}:\n${link.address}`]),
    `-- \n${footerOf(letter)}${end}${ends}\n`,
  ].join('\n\n')
}

/** Colours that work on light and dark backgrounds; everything else is the reader's. */
const FRAME =
  'max-width:34em;margin:0 auto;padding:24px 16px;font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif'
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#0e5f49;color:#ffffff;font-weight:600;text-decoration:none'
const FOOTER = 'margin:32px 0 0;padding-top:12px;border-top:1px solid #8a938c;font-size:14px'

function writeHtml(letter: Letter): string {
  const { locale, site, subject, lines, parts, after, link, ending, endings } = letter
  const paragraph = (line: string) => html`<p style="margin:0 0 16px">${line}</p>`
  const paragraphs = lines.map(paragraph)
  const items = parts.map(
    ({ label, address }) =>
      html`<li style="margin:0 0 10px">
        <a href="${address}" style="color:inherit">${label}</a>
      </li>`,
  )
  const list =
    parts.length === 0
      ? ''
      : html`<ul style="margin:0 0 16px;padding:0 0 0 20px">
          ${items}
        </ul>`
  const ends = endings.map(
    ({ label, address }) => html`<br /><a href="${address}" style="color:inherit">${label}</a>`,
  )
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
          <p style="margin:0 0 24px;font-weight:700">${site}</p>
          ${paragraphs}${list}${after.map(paragraph)}${step}
          <p style="${FOOTER}">${footerOf(letter)}${end}${ends}</p>
        </div>
      </body>
    </html> `.markup
}
