import { type FormEvent, useState } from 'react'
import { accounts } from '#contract/accounts.ts'
import { passkeys } from '#contract/passkeys.ts'
import { waysIn } from '#contract/ways-in.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { CodeField } from '#web/core/form/CodeField.tsx'
import { useText } from '#web/core/i18n.tsx'
import { provePasskey } from '#web/core/passkeys/prove.ts'
import { currentPerson, setSession } from '#web/core/session.ts'
import { PasskeyStep } from '#web/layout/PasskeyStep.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import styles from './Layout.module.css'

interface SignInDialogProps {
  readonly username: string
  readonly onFinish: (signedIn: boolean) => void
}

export function SignInDialog({ username, onFinish }: SignInDialogProps) {
  const { t } = useText()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [asksCode, setAsksCode] = useState(false)

  async function signIn(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const password = form.get('password')
    const code = form.get('code')
    setBusy(true)
    setProblem(null)
    try {
      setSession(
        await api(accounts.login, {
          username,
          password: typeof password === 'string' ? password : '',
          ...(typeof code === 'string' && { code }),
        }),
      )
      onFinish(true)
    } catch (error) {
      if (error instanceof ApiError && error.fields['code'] !== undefined) setAsksCode(true)
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
          </Button>{' '}
          <Button onClick={() => onFinish(false)}>{t('notNow')}</Button>
        </>
      }
    >
      <p>{t('signInAgainWhy')}</p>
      <PasskeyStep
        label={t('passkeyHere')}
        isOffered={async () => (await api(waysIn.show, {})).passkeys}
        take={async () => onFinish(await signInByPasskey())}
      />
      <form id="sign-in-again" className={styles.again} onSubmit={(event) => void signIn(event)}>
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
              // The dialog focuses an `autofocus` element when it opens. React would set the focus before that.
              ref={(field) => field?.setAttribute('autofocus', '')}
              name="password"
              type="password"
              autoComplete="current-password"
              required
            />
          )}
        </Field>
        {asksCode && <CodeField focus name="code" required />}
      </form>
    </Dialog>
  )
}

/** Resolves to true for the same user. A form that somebody else filled in must not be sent. */
async function signInByPasskey(): Promise<boolean> {
  const credential = await provePasskey(await api(passkeys.beginSignIn, {}))
  const session = await api(passkeys.signIn, { credential })
  const isSame = currentPerson()?._id === session._id
  setSession(session)
  return isSame
}
