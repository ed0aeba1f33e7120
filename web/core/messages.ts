import type { Messages } from '@lingui/core'
import type { Locale } from '#contract/messages/messages.ts'

/** A language's catalogue, compiled at build time; one lazy file each. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  const { default: messages } =
    locale === 'bg' ? await import('virtual:messages/bg') : await import('virtual:messages/en')
  return messages
}
