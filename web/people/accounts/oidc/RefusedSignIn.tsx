import type { MessageKey } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'
import { Alert } from '#web/ui/Alert.tsx'

/** The keys are the values of the `refused` parameter. */
const WORDS: Readonly<Record<string, MessageKey>> = {
  away: 'oidcAway',
  busy: 'oidcBusy',
  denied: 'oidcDenied',
  ended: 'oidcEnded',
  foreign: 'oidcForeign',
  noEmail: 'oidcNoEmail',
  taken: 'oidcTaken',
  wrong: 'oidcWrong',
}

/** Renders nothing for an unknown reason, which the server never sends. */
export function RefusedSignIn({ why }: { readonly why: string | null }) {
  const { t } = useText()
  const key = why === null || !Object.hasOwn(WORDS, why) ? undefined : WORDS[why]
  return key === undefined ? null : (
    <Alert heading={t('error')} focus="free">
      {t(key)}
    </Alert>
  )
}
