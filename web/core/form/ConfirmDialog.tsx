import { useState } from 'react'
import { flushSync } from 'react-dom'
import { type Range, REASON } from '#contract/limits.ts'
import { countedLength, fits } from '#contract/measure.ts'
import { message } from '#contract/message.ts'
import type { ApiError } from '#web/core/api-error.ts'
import { type DialogFrame, FormDialog } from '#web/core/form/FormDialog.tsx'
import { useSending } from '#web/core/form/use-sending.ts'
import { useText } from '#web/core/i18n.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextArea } from '#web/ui/inputs/TextArea.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'

interface Question {
  readonly label: string
  readonly help?: string | undefined
  /** Allowed length of the answer. Default: REASON. */
  readonly range?: Range | undefined
  /** The packed message for an answer that is too short or too long. */
  readonly problem?: string | undefined
  readonly optional?: boolean | undefined
  /** Renders a text area with this many rows. Default: a single-line input. */
  readonly rows?: number | undefined
}

interface ConfirmDialogProps<Result> extends DialogFrame {
  readonly question?: Question | undefined
  /** The dialog shows what it throws, and closes otherwise. */
  readonly act: (answer: string) => Promise<Result>
  /** Runs after the dialog has closed, so that it can move the focus. */
  readonly onDone?: ((result: Result) => void) | undefined
  /** Replaces the server's message for a refusal. */
  readonly explain?: ((error: ApiError) => string) | undefined
}

export function ConfirmDialog<Result>(props: ConfirmDialogProps<Result>) {
  const { question, act, onDone, explain, children, ...frame } = props
  const [answer, setAnswer] = useState('')
  /** True once the field was left with text in it, or the form submitted. Errors show only from then on. */
  const [isJudged, setJudged] = useState(false)
  const { busy, failure, send } = useSending(explain)
  const isWrong = question !== undefined && !isAnswer(question, answer)
  const submit = async () => {
    setJudged(true)
    if (isWrong) return
    await send(async () => {
      const result = await act(answer)
      setAnswer('')
      setJudged(false)
      // Closes first: elements behind an open modal dialog cannot take the focus.
      flushSync(frame.onClose)
      onDone?.(result)
    })
  }
  return (
    <FormDialog
      {...frame}
      form={{
        alert: failure,
        busy,
        onSubmit: (event) => {
          event.preventDefault()
          void submit()
        },
      }}
    >
      {children}{' '}
      {question !== undefined && (
        <Answer
          question={question}
          answer={answer}
          isWrong={isJudged && isWrong}
          onChange={setAnswer}
          onLeave={() => setJudged(answer !== '')}
        />
      )}
    </FormDialog>
  )
}

function isAnswer({ range = REASON, optional = false }: Question, answer: string): boolean {
  return fits(answer, range) || (optional && countedLength(answer, range) === 0)
}

interface AnswerProps {
  readonly question: Question
  readonly answer: string
  readonly isWrong: boolean
  readonly onChange: (answer: string) => void
  readonly onLeave: () => void
}

function Answer({ question, answer, isWrong, onChange, onLeave }: AnswerProps) {
  const { label, help, range = REASON, rows } = question
  const { problem = message('reasonValMs', { ...REASON }) } = question
  const { t, tp } = useText()
  const length = countedLength(answer, range)
  const input = {
    dir: 'auto',
    value: answer,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      onChange(target.value),
    onBlur: onLeave,
  } as const
  return (
    <Field
      label={label}
      help={help}
      error={isWrong ? tp(problem) : undefined}
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
  )
}
