import { useHydrated } from '#web/core/hydrated.ts'
import { type Texts, useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'
import { Alert } from '#web/ui/Alert.tsx'

/** Says that no cookie is accepted, before a form is filled in for nothing. `cookieLost`: the server gave a cookie that did not come back. */
export function NoCookies({ cookieLost }: { readonly cookieLost: boolean }) {
  const { t } = useText()
  const hydrated = useHydrated()
  if (cookieLost) return <Alert heading={t('noCookies')}>{t('noCookiesCame')}</Alert>
  if (!hydrated || acceptsCookies()) return null
  return <Alert heading={t('noCookies')}>{t('noCookiesBefore')}</Alert>
}

/** Says after signing in that the session lasts only while this page stays, because no cookie is accepted. */
export function warnOfNoCookies(t: Texts['t']): void {
  if (!acceptsCookies()) toast(t('noCookiesAfter'), 'failed')
}

/** What was found when it was tried; whoever changes it loads the page again. */
let accepted: boolean | undefined

/** Tried, because Chromium says that cookies are enabled where the person blocks them. */
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
