import { useHydrated } from '#web/core/hydrated.ts'
import { type Texts, useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'
import { Alert } from '#web/ui/Alert.tsx'

/** `unkept`: the server gave a cookie that did not come back. */
export function NoCookies({ unkept }: { readonly unkept: boolean }) {
  const { t } = useText()
  const hydrated = useHydrated()
  if (unkept) return <Alert heading={t('noCookies')}>{t('noCookiesCame')}</Alert>
  if (!hydrated || keepsCookies()) return null
  return <Alert heading={t('noCookies')}>{t('noCookiesBefore')}</Alert>
}

/** After signing in: how long it lasts. */
export function tellNoCookies(t: Texts['t']): void {
  if (!keepsCookies()) toast(t('noCookiesAfter'), 'failed')
}

/** What was found when it was tried; whoever changes it loads the page again. */
let kept: boolean | undefined

/** Tried, because Chromium says that cookies are enabled where the person blocks them. */
function keepsCookies(): boolean {
  kept ??= tryCookie('kb-probe=1')
  return kept
}

function tryCookie(probe: string): boolean {
  document.cookie = `${probe}; Path=/; SameSite=Lax`
  const isKept = document.cookie.includes(probe)
  document.cookie = `${probe}; Path=/; Max-Age=0; SameSite=Lax`
  return isKept
}
