import { lazy, Suspense, useState } from 'react'
import { factors, type Factors } from '#contract/factors.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { Time } from '#web/core/time/Time.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import styles from '#web/ui/inputs/Form.module.css'

const SetUpDialog = lazy(async () => {
  const file = await import('#web/accounts/factors/SetUpDialog.tsx')
  return { default: file.SetUpDialog }
})
const CodesDialog = lazy(async () => {
  const file = await import('#web/accounts/factors/CodesDialog.tsx')
  return { default: file.CodesDialog }
})
const TurnOffDialog = lazy(async () => {
  const file = await import('#web/accounts/factors/TurnOffDialog.tsx')
  return { default: file.TurnOffDialog }
})

type Opened = 'setUp' | 'turnOff' | { readonly codes: readonly string[] } | null

interface SecondFactorProps {
  /** As the server had it when the page was read. */
  readonly stored: Factors
}

/** Two-step sign-in: set up, new recovery codes, turned off. What each of them needs is loaded by its press. */
export function SecondFactor({ stored }: SecondFactorProps) {
  const { t } = useText()
  const reload = useReload()
  const [opened, setOpened] = useState<Opened>(null)
  const [refusal, setRefusal] = useState<{ readonly text: string } | null>(null)
  const [busy, setBusy] = useState(false)

  async function renewCodes(): Promise<void> {
    setBusy(true)
    setRefusal(null)
    try {
      const { recoveryCodes } = await api(factors.renewRecoveryCodes, {})
      setOpened({ codes: recoveryCodes })
      await reload()
    } catch (error) {
      setRefusal({ text: error instanceof ApiError ? error.message : t('somethingWrong') })
    } finally {
      setBusy(false)
    }
  }

  const close = () => {
    setOpened(null)
    void reload()
  }
  return (
    <section className={styles.form} aria-labelledby="second-factor">
      <div>
        <h2 id="second-factor">{t('factorTitle')}</h2>
        <p className="quiet">{t('factorWhat')}</p>
        {stored.since !== null && (
          <p>
            {stored.app && (
              <>
                <Rich id="factorOn" components={{ date: <Time date={stored.since} /> }} />{' '}
              </>
            )}
            {t('factorCodesLeft', { count: stored.recoveryCodes })}
          </p>
        )}
      </div>
      {stored.demandedOf === 'administrators' && stored.since === null && (
        <Alert heading={t('factorTitle')}>{t('factorDemanded')}</Alert>
      )}
      {refusal !== null && <Alert heading={t('error')}>{refusal.text}</Alert>}
      <div className={styles.submit}>
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
      </div>
      <Suspense>
        {opened === 'setUp' && <SetUpDialog hasPassword={stored.hasPassword} onClose={close} />}
        {opened === 'turnOff' && <TurnOffDialog factors={stored} onClose={close} />}
        {opened !== null && typeof opened === 'object' && (
          <CodesDialog codes={opened.codes} onClose={close} />
        )}
      </Suspense>
    </section>
  )
}
