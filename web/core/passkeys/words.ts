import { ApiError } from '#web/core/api-error.ts'
import type { Texts } from '#web/core/i18n.tsx'
import { NoPasskeys } from '#web/core/passkeys/prove.ts'

/** The message for any error of a passkey request. `origin` is this site's own. */
export function passkeyWords(error: unknown, t: Texts['t'], origin: string): string {
  if (error instanceof ApiError) return error.message
  if (error instanceof NoPasskeys) return t('passkeyUnsupported')
  switch (error instanceof Error ? error.name : '') {
    // The authenticator already has a passkey for this account.
    case 'InvalidStateError':
      return t('passkeyThere')
    case 'NotAllowedError':
    case 'AbortError':
      return t('passkeyCancelled')
    // The page was opened under a host name other than the site's own.
    case 'SecurityError':
      return t('passkeyForeign', { address: origin })
    default:
      return t('somethingWrong')
  }
}
