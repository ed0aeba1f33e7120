/** Writes notices as mails, immediate or daily. */
import { message } from '#contract/message.ts'
import { isFormerMember } from '#contract/former-member.ts'
import type { Locale } from '#contract/messages/messages.ts'
import { KIND_WORDS, noticeWords } from '#contract/notice-words.ts'
import type { NoticeKind, Notice } from '#contract/notices.ts'
import { findWillingMailboxes } from '#server/people/accounts/mails/mailbox.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { addNoticeLater, type NoticePart } from '#server/platform/mail/outbox.ts'
import { findNotices, findOwners } from '#server/community/notices/store.ts'

/** Mails each of these notices to its person, unless the address is unconfirmed. */
export async function mailAtOnce(tx: Tx, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length === 0) return
  const owners = await findOwners(tx, ids)
  const mailboxes = await findWillingMailboxes(tx, [...new Set(owners.values())])
  for (const notice of await findNotices(tx, ids)) {
    const to = mailboxes.find(({ userId }) => userId === owners.get(notice.id))
    if (to === undefined) continue
    const { line, path } = partOf(notice, to.locale)
    await addNoticeLater(
      tx,
      to,
      {
        subject: line,
        lines: [line, ...reasonOf(notice)],
        link: { label: message('mailNoticeLink'), path },
        optional: true,
        ends: notice.kind,
        endings: [endingOf(notice.kind, to.locale)],
      },
      now,
    )
  }
}

/** Returns a link that ends mails of one kind. */
export const endingOf = (kind: NoticeKind, locale: Locale) => ({
  kind,
  label: message('mailDigestEndKind', { kind: translate(locale, KIND_WORDS[kind]) }),
})

/** Returns the line of a notice in a mail, with its link. */
export function partOf(notice: Notice, locale: Locale): NoticePart {
  const { id, item, actor } = notice
  const name = actor?.userName ?? ''
  const { key, values } = noticeWords({
    ...notice,
    actor: isFormerMember(name) ? translate(locale, 'formerMember') : unlink(name),
    title: unlink(item?.title ?? ''),
    itemKind: item?.kind ?? null,
  })
  return { id, line: message(key, values), path: pathOf(notice) }
}

/** Puts the administrator's reason on its own line. */
function reasonOf({ note }: Notice): string[] {
  return note === null ? [] : [message('pointsReason', { reason: note })]
}

/** Returns a path below the public URL. */
function pathOf({ kind, item, comment, act }: Notice): string {
  if (act !== null) return `/appeal/${act}`
  if (kind === 'message') return '/user-center'
  if (kind === 'points') return '/points'
  if (item === null || item.gone) return '/notifications'
  const place = comment === null ? '' : `#comment-${comment}`
  return `/${item.kind}/details/${item.id}${place}`
}

/** A name or title such as `evil.com` must not become a link in mail programs. */
const unlink = (text: string): string => text.replaceAll('.', '.\u2060')
