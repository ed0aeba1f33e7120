import { type ReactNode, useId } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { FormState } from '#web/core/form/form.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import styles from '#web/ui/inputs/Form.module.css'

interface PasskeyFormProps<Values extends FieldValues> {
  readonly form: Pick<FormState<Values>, 'alert' | 'busy' | 'disabled' | 'reason' | 'onSubmit'>
  readonly title: string
  readonly submit: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog with one form about a passkey. */
export function PasskeyForm<Values extends FieldValues>(props: PasskeyFormProps<Values>) {
  const { title, submit, onClose, children } = props
  const { alert, busy, disabled, reason, onSubmit } = props.form
  const { t } = useText()
  const id = useId()
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button
            kind="main"
            type="submit"
            form={id}
            busy={busy}
            disabled={disabled}
            reason={reason}
          >
            {submit}
          </Button>{' '}
          <Button onClick={onClose}>{t('notNow')}</Button>
        </>
      }
    >
      <form id={id} className={styles.form} method="post" onSubmit={onSubmit} noValidate>
        <FormAlert alert={alert} />
        {children}
      </form>
    </Dialog>
  )
}
