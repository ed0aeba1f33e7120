import { type FormEvent, useEffect, useRef, useState } from 'react'
import { accounts } from '#contract/accounts.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { setSession, useSession } from '#web/core/session.ts'
import { hostSignIn } from '#web/core/sign-in-request.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'

/**
 * Asks for the password over the page, when a call found the session ended: the form behind it keeps every letter and
 * is sent afterwards.
 */
export function SignInAgain() {
  const { t } = useText()
  const person = useSession()
  const answer = useRef<((signedIn: boolean) => void) | null>(null)
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  useEffect(
    () =>
      hostSignIn(
        () =>
          new Promise((resolve) => {
            answer.current = resolve
            setProblem(null)
            setOpen(true)
          }),
      ),
    [],
  )

  function finish(signedIn: boolean): void {
    setOpen(false)
    answer.current?.(signedIn)
    answer.current = null
  }

  async function signIn(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const password = new FormData(event.currentTarget).get('password')
    setBusy(true)
    setProblem(null)
    try {
      setSession(await api(accounts.login, { username: person?.username ?? '', password: typeof password === 'string' ? password : '' }))
      finish(true)
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : t('somethingWrong'))
    } finally {
      setBusy(false)
    }
  }

  if (!open) return null
  return (
    <Dialog
      open
      onClose={() => finish(false)}
      title={t('signInAgain')}
      actions={
        <>
          <Button kind="main" type="submit" form="sign-in-again" busy={busy}>
            {t('signInAgainSubmit')}
          </Button>
          <Button onClick={() => finish(false)}>{t('notNow')}</Button>
        </>
      }
    >
      <p>{t('signInAgainWhy')}</p>
      <form id="sign-in-again" onSubmit={(event) => void signIn(event)}>
        {problem !== null && (
          <Alert key={problem} heading={t('error')}>
            {problem}
          </Alert>
        )}
        <Field label={t('signInAgainUser')}>
          {(wiring) => <TextInput {...wiring} name="username" autoComplete="username" readOnly value={person?.username ?? ''} />}
        </Field>
        <Field label={t('signInAgainPassword')}>
          {(wiring) => <TextInput {...wiring} name="password" type="password" autoComplete="current-password" required autoFocus />}
        </Field>
      </form>
    </Dialog>
  )
}
