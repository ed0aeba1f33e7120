import { useState } from 'react'
import { useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { accounts, Erasure } from '#contract/accounts.ts'
import { OwnPasswordField } from '#web/people/accounts/form/PasswordField.tsx'
import { SettingsSection } from '#web/people/accounts/settings/SettingsSection.tsx'
import { api } from '#web/core/api.ts'
import { useAppForm } from '#web/core/form/form.ts'
import { FormDialog } from '#web/core/form/FormDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { clearSession, useSession } from '#web/core/session.ts'
import { toast } from '#web/core/toast.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/inputs/Checkbox.tsx'
import styles from '#web/ui/inputs/Form.module.css'

/** Adds a checkbox, which is not sent to the server. */
const Sure = z.extend(Erasure, { sure: z.literal(true, { error: 'eraseNotSure' }) })

interface EraseAccountProps {
  /** False for people who sign in with a provider. */
  readonly hasPassword: boolean
}

export function EraseAccount({ hasPassword }: EraseAccountProps) {
  const { t } = useText()
  const [asked, setAsked] = useState(false)
  return (
    <SettingsSection
      id="erase"
      title={t('eraseTitle')}
      lead={[t('eraseGoes'), t('eraseStays'), t('eraseFirst')]}
      actions={
        <Button kind="risk" icon="bin" aria-haspopup="dialog" onClick={() => setAsked(true)}>
          {t('eraseAsk')}
        </Button>
      }
    >
      {asked && <EraseDialog hasPassword={hasPassword} onClose={() => setAsked(false)} />}
    </SettingsSection>
  )
}

function EraseDialog({ hasPassword, onClose }: EraseAccountProps & { onClose: () => void }) {
  const { t } = useText()
  const navigate = useNavigate()
  const person = useSession()
  const f = useAppForm({
    schema: Sure,
    defaults: {},
    labels: { ...(hasPassword && { password: t('passwordLabel') }), sure: t('eraseTick') },
    required: hasPassword ? ['password'] : [],
    send: async ({ password }) => {
      // Loads the modules while the account still exists.
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
  return (
    <FormDialog
      onClose={onClose}
      title={t('eraseTitle')}
      step={{ label: t('eraseSubmit'), kind: 'risk', icon: 'bin' }}
      leave={t('eraseKeep')}
      form={f}
    >
      <p>{t('eraseForever')}</p>{' '}
      {hasPassword && (
        <OwnPasswordField error={f.errorOf('password')} {...f.register('password')} />
      )}
      <div className={styles.sure}>
        <Checkbox {...f.register('sure')}>{t('eraseSure')}</Checkbox>
      </div>
    </FormDialog>
  )
}
