import { useState } from 'react'
import type { Range } from '#contract/limits.ts'
import { countedLength, fits } from '#contract/measure.ts'
import type { ApiError } from '#web/core/api-error.ts'
import { FormDialog, type FormDialogProps } from '#web/core/form/FormDialog.tsx'
import { useSending } from '#web/core/form/use-sending.ts'
import { useText } from '#web/core/i18n.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextArea } from '#web/ui/inputs/TextArea.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'

interface Question {
  readonly label: string
  readonly help?: string | undefined
  readonly range: Range
  /** Said when the answer is too short or too long. */
  readonly problem: string
  /** An empty answer is one, too. */
  readonly optional?: boolean | undefined
  /** A field of so many lines; one line unless given. */
  readonly rows?: number | undefined
}

interface ReasonDialogProps extends FormDialogProps {
  readonly question: Question
  /** Does it; what it throws is shown, and what was written stays. */
  readonly send: (reason: string) => Promise<void>
  /** Words for a refusal instead of the server's own. */
  readonly explain?: ((error: ApiError) => string) | undefined
}

/** Asks why before it does something. What was written stays until it has been sent, also when the dialog is closed. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { question, send, explain, children, ...frame } = props
  const { label, help, range, problem, optional = false, rows } = question
  const { t } = useText()
  const [reason, setReason] = useState('')
  /** The field was left with something in it, or the form sent: from now on it may be called wrong. */
  const [isJudged, setJudged] = useState(false)
  const sending = useSending(explain)
  const length = countedLength(reason, range)
  const isWrong = !(optional && length === 0) && !fits(reason, range)

  const submit = async () => {
    setJudged(true)
    if (isWrong) return
    await sending.send(async () => {
      await send(reason)
      setReason('')
      setJudged(false)
    })
  }
  const input = {
    dir: 'auto',
    value: reason,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setReason(target.value),
    onBlur: () => setJudged(reason !== ''),
  } as const
  return (
    <FormDialog {...frame} sending={sending} onSubmit={() => void submit()}>
      {children}{' '}
      <Field
        label={label}
        help={help}
        error={isJudged && isWrong ? problem : undefined}
        count={t('count', { length, max: range.max })}
        over={length > range.max}
      >
        {(wiring) =>
          rows === undefined ? (
            <TextInput {...wiring} {...input} />
          ) : (
            <TextArea {...wiring} {...input} rows={rows} />
          )
        }
      </Field>
    </FormDialog>
  )
}
