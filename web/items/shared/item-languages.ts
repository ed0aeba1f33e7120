import type { ItemLanguage } from '#contract/items.ts'
import type { MessageKey } from '#contract/messages/messages.ts'

export const LANGUAGE_NAMES = {
  en: 'languageEn',
  bg: 'languageBg',
  other: 'languageOther',
} as const satisfies Record<ItemLanguage, MessageKey>
