import type { SignIn } from '#contract/sessions.ts'
import type { Texts } from '#web/core/i18n.tsx'

/** Returns "Firefox on Windows", or only the part that is known. */
export function nameDevice({ browser, system }: SignIn, t: Texts['t']): string {
  if (browser !== null && system !== null) return t('devicesOn', { browser, system })
  return browser ?? system ?? t('devicesUnknown')
}
