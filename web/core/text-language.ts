/** Users write in English or Bulgarian. Fonts choose letterforms by language, so `lang` must be right. */
import type { Locale } from '#contract/messages/messages.ts'

export const textLanguage = (text: string): Locale =>
  /\p{Script=Cyrillic}/u.test(text) ? 'bg' : 'en'
