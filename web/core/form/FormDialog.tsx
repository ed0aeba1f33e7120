import { type ReactNode, useId } from 'react'
import type { Sending } from '#web/core/form/use-sending.ts'
import { useText } from '#web/core/i18n.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import type { ButtonKind } from '#web/ui/button-look.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import type { IconName } from '#web/ui/Icon.tsx'
import styles from '#web/ui/inputs/Form.module.css'

export interface DialogStep {
  /** On the button, a verb. */
  readonly label: string
  readonly kind: ButtonKind
  readonly icon: IconName
}

export interface FormDialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  /** What the dialog does. */
  readonly step: DialogStep
  /** On the button that leaves everything as it is; "Not now" unless given. */
  readonly leave?: string | undefined
  readonly children: ReactNode
}

interface FrameProps extends FormDialogProps {
  readonly sending: Pick<Sending, 'busy' | 'failure'>
  readonly onSubmit: () => void
}

/** A dialog that does one thing: what failed stands above its words, and Enter in a field does what the button does. */
export function FormDialog(props: FrameProps) {
  const { open, onClose, title, step, leave, children, sending, onSubmit } = props
  const { t } = useText()
  const form = useId()
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button kind={step.kind} icon={step.icon} type="submit" form={form} busy={sending.busy}>
            {step.label}
          </Button>{' '}
          <Button onClick={onClose}>{leave ?? t('notNow')}</Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        {sending.failure !== null && (
          <Alert heading={t('error')} focus>
            {sending.failure.text}
          </Alert>
        )}{' '}
        {children}
      </form>
    </Dialog>
  )
}
