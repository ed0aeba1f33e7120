import type { Tongue } from '#contract/items.ts'
import type { MessageKey } from '#contract/messages/messages.ts'

export const TONGUES = {
  en: 'languageEn',
  bg: 'languageBg',
  other: 'languageOther',
} as const satisfies Record<Tongue, MessageKey>
