import { useHydrated } from '#web/core/hydrated.ts'
import { type Texts, useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'
import { Alert } from '#web/ui/Alert.tsx'

/** `unkept`: the server gave a cookie that did not come back. */
export function NoCookies({ unkept }: { readonly unkept: boolean }) {
  const { t } = useText()
  const hydrated = useHydrated()
  if (unkept) return <Alert heading={t('noCookies')}>{t('noCookiesCame')}</Alert>
  if (!hydrated || navigator.cookieEnabled) return null
  return <Alert heading={t('noCookies')}>{t('noCookiesBefore')}</Alert>
}

/** After signing in: how long it lasts. */
export function tellNoCookies(t: Texts['t']): void {
  if (!navigator.cookieEnabled) toast(t('noCookiesAfter'), 'failed')
}
