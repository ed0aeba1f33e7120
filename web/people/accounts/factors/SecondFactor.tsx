import { lazy, useState } from 'react'
import { factors, type Factors } from '#contract/factors.ts'
import { CodesDialog } from '#web/people/accounts/factors/CodesDialog.tsx'
import { DemandedFactor } from '#web/people/accounts/factors/DemandedFactor.tsx'
import { SettingsSection } from '#web/people/accounts/settings/SettingsSection.tsx'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useSending } from '#web/core/form/use-sending.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { Time } from '#web/core/time/Time.tsx'
import { toast } from '#web/core/toast.ts'
import { Opening } from '#web/layout/Progress.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'

// Loaded on demand, because it contains the QR code generator.
const SetUpDialog = lazy(async () => {
  const file = await import('#web/people/accounts/factors/SetUpDialog.tsx')
  return { default: file.SetUpDialog }
})

type Opened = 'setUp' | 'turnOff' | { readonly codes: readonly string[] } | null

interface SecondFactorProps {
  readonly stored: Factors
}

export function SecondFactor({ stored }: SecondFactorProps) {
  const { t } = useText()
  const reload = useReload()
  const [opened, setOpened] = useState<Opened>(null)
  const { busy, failure, send } = useSending()
  const renewCodes = () =>
    send(async () => {
      const { recoveryCodes } = await api(factors.renewRecoveryCodes, {})
      setOpened({ codes: recoveryCodes })
      await reload()
    })
  const close = () => {
    setOpened(null)
    void reload()
  }
  return (
    <SettingsSection
      id="second-factor"
      title={t('factorTitle')}
      lead={[t('factorWhat')]}
      state={
        stored.since !== null && (
          <p>
            {stored.app && (
              <>
                <Rich id="factorOn" components={{ date: <Time date={stored.since} /> }} />{' '}
              </>
            )}
            {t('factorCodesLeft', { count: stored.recoveryCodes })}
          </p>
        )
      }
      actions={
        <>
          {!stored.app && (
            <Button aria-haspopup="dialog" onClick={() => setOpened('setUp')}>
              {t('factorAsk')}
            </Button>
          )}
          {stored.since !== null && (
            <Button busy={busy} aria-haspopup="dialog" onClick={() => void renewCodes()}>
              {t('factorNewCodes')}
            </Button>
          )}
          {stored.app && (
            <Button kind="risk" aria-haspopup="dialog" onClick={() => setOpened('turnOff')}>
              {t('factorOff')}
            </Button>
          )}
        </>
      }
    >
      {stored.demandedOf === 'administrators' && stored.since === null && (
        <Alert heading={t('factorTitle')}>{t('factorDemanded')}</Alert>
      )}
      {failure !== null && <Alert heading={t('error')}>{failure.text}</Alert>}
      {opened === 'setUp' && (
        <Opening>
          <SetUpDialog hasPassword={stored.hasPassword} onClose={close} />
        </Opening>
      )}
      {opened === 'turnOff' && (
        <ConfirmDialog
          onClose={close}
          title={t('factorOffAsk')}
          step={{ label: t('factorOff'), kind: 'risk' }}
          act={() => api(factors.removeTotp, {})}
          onDone={() => toast(t('factorOffDone'))}
        >
          <p>{stored.passkeys > 0 ? t('factorAppOffWhat') : t('factorOffWhat')}</p>
          {stored.passkeys === 0 && <DemandedFactor of={stored.demandedOf} />}
        </ConfirmDialog>
      )}
      {opened !== null && typeof opened === 'object' && (
        <CodesDialog codes={opened.codes} onClose={close} />
      )}
    </SettingsSection>
  )
}
