import { useState } from 'react'
import { accounts } from '#contract/accounts.ts'
import { SettingsSection } from '#web/people/accounts/settings/SettingsSection.tsx'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'
import { Button } from '#web/ui/Button.tsx'

interface SignOutEverywhereProps {
  readonly onDone?: () => void
}

export function SignOutEverywhere({ onDone }: SignOutEverywhereProps) {
  const { t } = useText()
  const [asked, setAsked] = useState(false)
  return (
    <SettingsSection
      id="everywhere"
      title={t('everywhereSubmit')}
      lead={[t('everywhereWhat')]}
      actions={
        <Button kind="risk" icon="out" aria-haspopup="dialog" onClick={() => setAsked(true)}>
          {t('everywhereSubmit')}
        </Button>
      }
    >
      {asked && (
        <ConfirmDialog
          onClose={() => setAsked(false)}
          title={t('everywhereAsk')}
          step={{ label: t('everywhereSubmit'), kind: 'risk', icon: 'out' }}
          act={() => api(accounts.revokeSessions, {})}
          onDone={() => {
            toast(t('everywhereDone'))
            onDone?.()
          }}
        >
          <p>{t('everywhereWhat')}</p>
        </ConfirmDialog>
      )}
    </SettingsSection>
  )
}
