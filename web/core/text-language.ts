/** What people write is English or Bulgarian; each alphabet has letterforms of its own, so `lang` must be right. */
import type { Locale } from '#contract/messages/messages.ts'

/** For the `lang` of a title or an article. */
export const textLanguage = (text: string): Locale =>
  /\p{Script=Cyrillic}/u.test(text) ? 'bg' : 'en'
