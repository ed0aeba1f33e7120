import { useId } from 'react'
import { useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { accounts, Erasure } from '#contract/accounts.ts'
import { api } from '#web/core/api.ts'
import { useAppForm } from '#web/core/form/form.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { clearSession, useSession } from '#web/core/session.ts'
import { toast } from '#web/core/toast.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/inputs/Checkbox.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { PasswordInput } from '#web/ui/inputs/PasswordInput.tsx'
import styles from '#web/ui/inputs/Form.module.css'

/** The call's schema and the tick, which never leaves the browser. */
const Sure = z.extend(Erasure, { sure: z.literal(true, { error: 'eraseNotSure' }) })

interface EraseDialogProps {
  /** False of who signs in by another site. */
  readonly hasPassword: boolean
  readonly open: boolean
  readonly onClose: () => void
}

/**
 * Asks for the password and a tick; afterwards the person is a guest on the home page, and nothing of theirs is stored
 * here. It is long because it is the list of its fields.
 */
export function EraseDialog({ hasPassword, open, onClose }: EraseDialogProps) {
  const { t } = useText()
  const id = useId()
  const navigate = useNavigate()
  const person = useSession()
  const f = useAppForm({
    schema: Sure,
    defaults: {},
    labels: { ...(hasPassword && { password: t('passwordLabel') }), sure: t('eraseTick') },
    required: hasPassword ? ['password'] : [],
    send: async ({ password }) => {
      // As at the sign-out: fetched first, while nothing has ended.
      const pictures = await import('#web/core/storage/draft-pictures.ts').catch(() => null)
      const signals = await import('#web/core/passkeys/signal.ts').catch(() => null)
      const signalGone = await signals?.prepareGone()
      await api(accounts.erase, password === undefined ? {} : { password })
      const forgotten = person === null ? undefined : pictures?.forgetPictures(person._id)
      void signalGone?.()
      clearSession()
      await forgotten
      onClose()
      await navigate(to.home(), { replace: true })
      toast(t('eraseDone'), 'done')
    },
  })
  const { register, errorOf } = f
  const eye = { showLabel: t('showPassword'), hideLabel: t('hidePassword') }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('eraseTitle')}
      actions={
        <>
          <Button
            kind="risk"
            icon="bin"
            type="submit"
            form={id}
            busy={f.busy}
            disabled={f.disabled}
            reason={f.reason}
          >
            {t('eraseSubmit')}
          </Button>{' '}
          <Button onClick={onClose}>{t('eraseKeep')}</Button>
        </>
      }
    >
      <form id={id} className={styles.form} method="post" onSubmit={f.onSubmit} noValidate>
        <FormAlert alert={f.alert} />
        <p>{t('eraseForever')}</p>{' '}
        {hasPassword && (
          <>
            {/* For password managers: whose password this is. */}
            <input type="hidden" autoComplete="username" value={person?.username ?? ''} readOnly />
            <Field label={t('passwordLabel')} error={errorOf('password')}>
              {(wiring) => (
                <PasswordInput
                  {...wiring}
                  {...eye}
                  autoComplete="current-password"
                  {...register('password')}
                />
              )}
            </Field>
          </>
        )}
        <div className={styles.sure}>
          <Checkbox {...register('sure')}>{t('eraseSure')}</Checkbox>
        </div>
      </form>
    </Dialog>
  )
}
