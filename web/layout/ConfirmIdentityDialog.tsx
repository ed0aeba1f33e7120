import { type FormEvent, useEffect, useState } from 'react'
import { factors } from '#contract/factors.ts'
import { passkeys } from '#contract/passkeys.ts'
import { waysIn, type WaysIn } from '#contract/ways-in.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { CodeField } from '#web/core/form/CodeField.tsx'
import { useText } from '#web/core/i18n.tsx'
import { provePasskey } from '#web/core/passkeys/prove.ts'
import { ProviderLinks } from '#web/layout/ProviderLinks.tsx'
import { PasskeyStep } from '#web/layout/PasskeyStep.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import styles from './Layout.module.css'

interface ConfirmIdentityDialogProps {
  readonly username: string
  readonly onFinish: (confirmed: boolean) => void
}

export function ConfirmIdentityDialog({ username, onFinish }: ConfirmIdentityDialogProps) {
  const { t } = useText()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<{ readonly text: string } | null>(null)
  /** Other ways to sign in, for people without a password. */
  const [instead, setInstead] = useState<WaysIn | null>(null)
  useEffect(() => {
    // If this fails, the dialog asks for password and code.
    waysWithoutPassword().then(setInstead, () => {})
  }, [])

  async function confirm(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setBusy(true)
    setProblem(null)
    try {
      await api(factors.confirm, { password: textOf(form, 'password'), code: textOf(form, 'code') })
      onFinish(true)
    } catch (error) {
      setProblem({ text: error instanceof ApiError ? error.message : t('somethingWrong') })
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      onClose={() => onFinish(false)}
      title={t('confirmYouTitle')}
      actions={
        <>
          {instead === null && (
            <Button kind="main" type="submit" form="confirm-you" busy={busy}>
              {t('confirmYouSubmit')}
            </Button>
          )}{' '}
          <Button onClick={() => onFinish(false)}>{t('notNow')}</Button>
        </>
      }
    >
      <p>{t('confirmYouWhy')}</p>
      <PasskeyStep
        label={t('passkeyUse')}
        isOffered={async () => (await api(factors.show, {})).passkeys > 0}
        take={async () => {
          const options = await api(passkeys.beginConfirming, {})
          await api(passkeys.confirm, { credential: await provePasskey(options) })
          onFinish(true)
        }}
      />
      {instead === null ? (
        <form id="confirm-you" className={styles.again} onSubmit={(event) => void confirm(event)}>
          {problem !== null && <Alert heading={t('error')}>{problem.text}</Alert>}
          {/* Tells password managers which account the password belongs to. */}
          <input type="hidden" autoComplete="username" value={username} readOnly />
          <Field label={t('passwordLabel')}>
            {(wiring) => (
              <TextInput
                {...wiring}
                // The dialog focuses an `autofocus` element when it opens. React would set the focus before that.
                ref={(field) => field?.setAttribute('autofocus', '')}
                name="password"
                type="password"
                autoComplete="current-password"
                required
              />
            )}
          </Field>
          <CodeField name="code" required />
        </form>
      ) : (
        <>
          <p>{t('confirmBySignIn')}</p>
          <ProviderLinks ways={instead} next={`${location.pathname}${location.search}`} />
        </>
      )}
    </Dialog>
  )
}

/** Returns null for people with a password. */
async function waysWithoutPassword(): Promise<WaysIn | null> {
  const { hasPassword } = await api(factors.show, {})
  return hasPassword ? null : api(waysIn.show, {})
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
