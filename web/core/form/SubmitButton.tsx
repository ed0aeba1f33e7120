import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { FormState } from '#web/core/form/form.ts'
import { Button } from '#web/ui/Button.tsx'
import type { IconName } from '#web/ui/Icon.tsx'

interface SubmitButtonProps<Values extends FieldValues> {
  readonly form: Pick<FormState<Values>, 'busy' | 'disabled' | 'missing'>
  readonly big?: boolean | undefined
  readonly icon?: IconName | undefined
  readonly children: ReactNode
}

export function SubmitButton<Values extends FieldValues>(props: SubmitButtonProps<Values>) {
  const { form, big, icon, children } = props
  const { busy, disabled, missing } = form
  return (
    <Button
      type="submit"
      kind="main"
      big={big}
      icon={icon}
      busy={busy}
      disabled={disabled}
      missing={missing}
    >
      {children}
    </Button>
  )
}
