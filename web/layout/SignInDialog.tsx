import { type FormEvent, useState } from 'react'
import { accounts } from '#contract/accounts.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { setSession } from '#web/core/session.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'

interface SignInDialogProps {
  readonly username: string
  readonly onFinish: (signedIn: boolean) => void
}

/** Name and password over the page. */
export function SignInDialog({ username, onFinish }: SignInDialogProps) {
  const { t } = useText()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function signIn(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const password = new FormData(event.currentTarget).get('password')
    setBusy(true)
    setProblem(null)
    try {
      setSession(
        await api(accounts.login, {
          username,
          password: typeof password === 'string' ? password : '',
        }),
      )
      onFinish(true)
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : t('somethingWrong'))
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      onClose={() => onFinish(false)}
      title={t('signInAgain')}
      actions={
        <>
          <Button kind="main" type="submit" form="sign-in-again" busy={busy}>
            {t('signInAgainSubmit')}
          </Button>
          <Button onClick={() => onFinish(false)}>{t('notNow')}</Button>
        </>
      }
    >
      <p>{t('signInAgainWhy')}</p>
      <form id="sign-in-again" className="again" onSubmit={(event) => void signIn(event)}>
        {problem !== null && (
          <Alert key={problem} heading={t('error')}>
            {problem}
          </Alert>
        )}
        <Field label={t('signInAgainUser')}>
          {(wiring) => (
            <TextInput
              {...wiring}
              name="username"
              autoComplete="username"
              readOnly
              value={username}
            />
          )}
        </Field>
        <Field label={t('signInAgainPassword')}>
          {(wiring) => (
            <TextInput
              {...wiring}
              // The dialog looks for the attribute when it opens; React would only focus, before it opens.
              ref={(field) => field?.setAttribute('autofocus', '')}
              name="password"
              type="password"
              autoComplete="current-password"
              required
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
