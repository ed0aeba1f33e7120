import { type ReactNode, type SyntheticEvent, useId } from 'react'
import { FormAlert, type FormAlertProps } from '#web/core/form/FormAlert.tsx'
import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import type { ButtonKind } from '#web/ui/button-look.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import type { IconName } from '#web/ui/Icon.tsx'
import styles from '#web/ui/inputs/Form.module.css'

interface DialogStep {
  /** A verb, for the button. */
  readonly label: string
  readonly kind: ButtonKind
  readonly icon?: IconName | undefined
}

/** The part of a form's state that the dialog shows; see `useAppForm`. */
interface DialogForm extends Pick<FormAlertProps, 'alert'> {
  readonly busy: boolean
  /** The button waits; `missing` says what for. */
  readonly disabled?: boolean
  readonly missing?: ReactNode
  readonly onSubmit: (event: SyntheticEvent) => unknown
}

export interface DialogFrame {
  /** Default: true; see Dialog. */
  readonly open?: boolean | undefined
  readonly onClose: () => void
  readonly title: string
  readonly step: DialogStep
  /** Label of the button that cancels. Default: "Not now". */
  readonly leave?: string | undefined
  readonly children?: ReactNode
}

interface FormDialogProps extends DialogFrame {
  readonly form: DialogForm
}

/** The button stands outside the form and refers to it by id, so that Enter in a field submits as well. */
export function FormDialog({ step, leave, children, form, ...frame }: FormDialogProps) {
  const { t } = useText()
  const id = useId()
  const { alert, busy, disabled, missing, onSubmit } = form
  return (
    <Dialog
      {...frame}
      actions={
        <>
          <Button
            kind={step.kind}
            icon={step.icon}
            type="submit"
            form={id}
            busy={busy}
            disabled={disabled}
            missing={missing}
          >
            {step.label}
          </Button>{' '}
          <Button onClick={frame.onClose}>{leave ?? t('notNow')}</Button>
        </>
      }
    >
      <form id={id} className={styles.form} method="post" noValidate onSubmit={onSubmit}>
        <FormAlert alert={alert} /> {children}
      </form>
    </Dialog>
  )
}
