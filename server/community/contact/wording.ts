/**
 * Composes mails that people write: our text in the recipient's language first, then theirs unchanged. Nothing of
 * ours follows, so that their text can't imitate ours.
 */
import type { Locale, MessageKey } from '#contract/messages/messages.ts'
import type { MessageValues } from '#contract/message.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { toOneLine } from '#server/platform/mail/outbox.ts'

const BORDER = '-'.repeat(64)

/** Null for a guest. */
export type Writer = { readonly id: string; readonly username: string } | null

interface Wording {
  readonly locale: Locale
  /** The site's name in the recipient's language. */
  readonly site: string
  readonly publicUrl: string
  /** The reply-to address. */
  readonly senderEmail: string
  readonly text: string
}

interface LetterWording extends Wording {
  readonly writer: NonNullable<Writer>
  readonly lesson: { readonly id: number; readonly title: string } | null
}

/** For the owner of a lesson. */
export function wordLetter(letter: LetterWording): string {
  const { publicUrl, writer, lesson, senderEmail } = letter
  const t = translatorOf(letter)
  const { username } = writer
  // A title with line breaks could look like other parts of the mail.
  const title = toOneLine(lesson?.title ?? '')
  return compose(letter, t('letterBelow', { username }), [
    t(lesson === null ? 'letterFrom' : 'letterFromAbout', { username, title }),
    [
      lesson === null
        ? null
        : t('letterLesson', { link: `${publicUrl}/lesson/details/${lesson.id}` }),
      t('letterProfile', { link: `${publicUrl}/profile/${writer.id}` }),
    ]
      .filter((line) => line !== null)
      .join('\n'),
    t('letterReply', { address: senderEmail, username }),
  ])
}

interface ProblemWording extends Wording {
  readonly writer: Writer
}

/** For the product owner. */
export function wordProblem(problem: ProblemWording): string {
  const { publicUrl, writer, senderEmail } = problem
  const t = translatorOf(problem)
  const links = [t('problemAll', { link: `${publicUrl}/admin/bugs` })]
  if (writer !== null)
    links.unshift(t('letterProfile', { link: `${publicUrl}/profile/${writer.id}` }))
  return compose(problem, t('problemBelow'), [
    writer === null ? t('problemFromGuest') : t('problemFrom', { username: writer.username }),
    links.join('\n'),
    t('problemReply', { address: senderEmail }),
  ])
}

function translatorOf({ locale, site }: Wording) {
  return (key: MessageKey, values: MessageValues = {}) =>
    translate(locale, key, { site, ...values })
}

function compose({ text }: Wording, below: string, ours: readonly string[]): string {
  return [...ours, `${below}\n${BORDER}`, text].join('\n\n')
}
