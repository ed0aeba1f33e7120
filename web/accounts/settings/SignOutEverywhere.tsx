import { useState } from 'react'
import { accounts } from '#contract/accounts.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import styles from '#web/ui/inputs/Form.module.css'

interface SignOutEverywhereProps {
  readonly onDone?: () => void
}

/** Ends the sessions of all other browsers, after asking. */
export function SignOutEverywhere({ onDone }: SignOutEverywhereProps) {
  const { t } = useText()
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()

  async function signOut(): Promise<void> {
    setBusy(true)
    setRefusal(undefined)
    try {
      await api(accounts.revokeSessions, {})
      setAsking(false)
      toast(t('everywhereDone'))
      onDone?.()
    } catch (error) {
      setRefusal(error instanceof ApiError ? error.message : t('somethingWrong'))
    } finally {
      setBusy(false)
    }
  }

  return (
    <section className={styles.form} aria-labelledby="everywhere">
      <div>
        <h2 id="everywhere">{t('everywhereTitle')}</h2>
        <p className="quiet">{t('everywhereWhat')}</p>
      </div>
      <div className={styles.submit}>
        <Button kind="risk" icon="out" onClick={() => setAsking(true)}>
          {t('everywhereSubmit')}
        </Button>
      </div>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t('everywhereAsk')}
        actions={
          <>
            <Button kind="risk" busy={busy} onClick={() => void signOut()}>
              {t('everywhereSubmit')}
            </Button>{' '}
            <Button onClick={() => setAsking(false)}>{t('notNow')}</Button>
          </>
        }
      >
        <p>{t('everywhereWhat')}</p>
        {refusal !== undefined && <Alert heading={t('error')}>{refusal}</Alert>}
      </Dialog>
    </section>
  )
}
