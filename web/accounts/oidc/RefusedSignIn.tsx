import type { MessageKey } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'
import { Alert } from '#web/ui/Alert.tsx'

/** Why a sign-in by another site came to nothing, by the word in the address. */
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

/** Says why a sign-in by another site came to nothing; nothing for a word that is not ours. */
export function RefusedSignIn({ why }: { readonly why: string | null }) {
  const { t } = useText()
  const key = why === null || !Object.hasOwn(WORDS, why) ? undefined : WORDS[why]
  return key === undefined ? null : (
    <Alert heading={t('error')} focus="free">
      {t(key)}
    </Alert>
  )
}
