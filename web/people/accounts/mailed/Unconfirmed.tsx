import { useState } from 'react'
import { accounts } from '#contract/accounts.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import styles from '#web/ui/inputs/Form.module.css'

/** Offers to resend the confirmation link. */
export function Unconfirmed({ email }: { readonly email: string }) {
  const { t } = useText()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()

  async function resend(): Promise<void> {
    setBusy(true)
    setRefusal(undefined)
    try {
      await api(accounts.resendConfirmation, {})
      toast(t('confirmSent', { email }))
    } catch (error) {
      setRefusal(error instanceof ApiError ? error.message : t('somethingWrong'))
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className={styles.unconfirmed}>
      <Button busy={busy} onClick={() => void resend()}>
        {t('confirmResend')}
      </Button>
      {refusal !== undefined && <Alert heading={t('error')}>{refusal}</Alert>}
    </div>
  )
}
