/** What to say when a passkey could not be made or used. */
import { ApiError } from '#web/core/api-error.ts'
import type { Texts } from '#web/core/i18n.tsx'
import { NoPasskeys } from '#web/core/passkeys/prove.ts'

/** The sentence for whatever a ceremony threw. `origin`: where this site is. */
export function passkeyWords(error: unknown, t: Texts['t'], origin: string): string {
  if (error instanceof ApiError) return error.message
  if (error instanceof NoPasskeys) return t('passkeyUnsupported')
  switch (error instanceof Error ? error.name : '') {
    // The authenticator has one of this account.
    case 'InvalidStateError':
      return t('passkeyThere')
    case 'NotAllowedError':
    case 'AbortError':
      return t('passkeyCancelled')
    // The page was opened under another name than the site's own.
    case 'SecurityError':
      return t('passkeyForeign', { address: origin })
    default:
      return t('somethingWrong')
  }
}
