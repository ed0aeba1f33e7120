import { useState } from 'react'
import { useNavigate } from 'react-router'
import { accounts, NewPassword } from '#contract/accounts.ts'
import { PASSWORD } from '#contract/limits.ts'
import { PasswordField } from '#web/people/accounts/form/PasswordField.tsx'
import { leaveEndedSession } from '#web/people/accounts/leave-ended.ts'
import type { loader } from '#web/people/accounts/ResetPage.data.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useAppForm } from '#web/core/form/form.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { useRefused } from '#web/core/form/refused.ts'
import { SubmitButton } from '#web/core/form/SubmitButton.tsx'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { toast } from '#web/core/toast.ts'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { StallSide } from '#web/ui/books/StallSide.tsx'
import * as z from 'zod/mini'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/inputs/Form.module.css'

/** The token comes from the link, not from a field. */
const Reset = z.object({ password: NewPassword })

/** A link that was used or has expired leads back to the page that sends a new one. */
export default function ResetPage() {
  const { token } = usePageData<typeof loader>()
  const isRefused = useRefused()?.fields['token'] !== undefined
  const [dead, setDead] = useState(token === '' || isRefused)
  return (
    <div className={classes(styles.slip, styles.withStall)}>
      {dead ? <DeadLink /> : <ResetForm token={token} onDead={() => setDead(true)} />}
      <StallSide drawing="book" />
    </div>
  )
}

function DeadLink() {
  const { t } = useText()
  return (
    <div className={styles.form}>
      <div role="alert">
        <h1>{t('linkDeadTitle')}</h1>
        <p className="quiet">{t('resetDeadWhat')}</p>
      </div>
      <div className={styles.submit}>
        <ButtonLink as={Link} kind="main" to={to.forgotPassword()}>
          {t('resetDeadNext')}
        </ButtonLink>
      </div>
    </div>
  )
}

interface ResetFormProps {
  readonly token: string
  readonly onDead: () => void
}

function ResetForm({ token, onDead }: ResetFormProps) {
  const { t } = useText()
  const navigate = useNavigate()
  const f = useAppForm<{ password: string }>({
    schema: Reset,
    defaults: { password: '' },
    plain: true,
    labels: { password: t('newPasswordLabel') },
    required: ['password'],
    send: async ({ password }) => {
      try {
        await api(accounts.resetPassword, { token, password })
      } catch (error) {
        const isDead = error instanceof ApiError && error.fields['token'] !== undefined
        if (isDead) return onDead()
        throw error
      }
      await leaveEndedSession()
      toast(t('resetDone'))
      await navigate(to.login(), { replace: true })
    },
  })
  return (
    <form
      className={styles.form}
      {...f.plainly}
      aria-labelledby="reset"
      onSubmit={(event) => void f.onSubmit(event)}
      noValidate
    >
      <div>
        <h1 id="reset">{t('resetTitle')}</h1>
        <p className="quiet">{t('resetLead')}</p>
      </div>
      <FormAlert alert={f.alert} />
      <input type="hidden" name="token" value={token} />
      <PasswordField
        label={t('newPasswordLabel')}
        help={t('passwordHelp', { min: PASSWORD.min })}
        error={f.errorOf('password')}
        required
        autoComplete="new-password"
        {...f.register('password')}
      />
      <div className={styles.submit}>
        <SubmitButton form={f} big>
          {t('resetSubmit')}
        </SubmitButton>
      </div>
    </form>
  )
}
