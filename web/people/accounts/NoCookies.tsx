import { useHydrated } from '#web/core/hydrated.ts'
import { type Texts, useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'
import { Alert } from '#web/ui/Alert.tsx'

/** Warns before the user fills in a form. `cookieLost` means that the server's cookie did not come back. */
export function NoCookies({ cookieLost }: { readonly cookieLost: boolean }) {
  const { t } = useText()
  const hydrated = useHydrated()
  if (cookieLost) return <Alert heading={t('noCookies')}>{t('noCookiesCame')}</Alert>
  if (!hydrated || acceptsCookies()) return null
  return <Alert heading={t('noCookies')}>{t('noCookiesBefore')}</Alert>
}

/** Warns after the sign-in that the session ends with this page, because cookies are blocked. */
export function warnOfNoCookies(t: Texts['t']): void {
  if (!acceptsCookies()) toast(t('noCookiesAfter'), 'failed')
}

/** Cached, because changing the setting reloads the page. */
let accepted: boolean | undefined

/** Sets a test cookie, because Chromium reports cookies as enabled even if the user blocks them. */
function acceptsCookies(): boolean {
  accepted ??= tryCookie('kb-probe=1')
  return accepted
}

function tryCookie(probe: string): boolean {
  document.cookie = `${probe}; Path=/; SameSite=Lax`
  const wasAccepted = document.cookie.includes(probe)
  document.cookie = `${probe}; Path=/; Max-Age=0; SameSite=Lax`
  return wasAccepted
}
