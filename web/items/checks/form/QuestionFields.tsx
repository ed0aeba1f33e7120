import type { FocusEvent } from 'react'
import { EXPLANATION, QUESTION, type Range } from '#contract/limits.ts'
import { lengthOf, normalizeText } from '#contract/measure.ts'
import type { Question } from '#contract/questions.ts'
import { AnswerList } from '#web/items/checks/form/AnswerList.tsx'
import { useText } from '#web/core/i18n.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextArea } from '#web/ui/inputs/TextArea.tsx'
import styles from './Questions.module.css'

interface QuestionFieldsProps {
  readonly question: Question
  readonly place: number
  readonly total: number
  /** The error of a part such as `answers.1.text`. */
  readonly errorOf: (part: string) => string | undefined
  readonly onChange: (question: Question) => void
  /** Shows the errors of these parts from now on. */
  readonly judge: (...parts: readonly string[]) => void
  readonly forgive: () => void
  readonly onMove: (to: number) => void
  readonly onRemove: () => void
}

export function QuestionFields(props: QuestionFieldsProps) {
  const { question, place, total, errorOf, onChange, judge, forgive, onMove, onRemove } = props
  const { t } = useText()
  const number = place + 1
  const { answers } = question
  const change = (part: string, changed: Question) => {
    onChange(changed)
    if (errorOf(part) !== undefined) judge(part)
  }
  // Shows all errors of a question once the user leaves it.
  const leave = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    if (currentTarget.contains(relatedTarget)) return
    judge('text', 'right', 'explanation', ...answers.map((_, at) => `answers.${at}.text`))
  }
  return (
    <fieldset className={styles.question} onBlur={leave}>
      <legend className="sr">{t('checkQuestionNumber', { place: number })}</legend>
      <div className={styles.questionHead}>
        <b aria-hidden="true">{t('checkQuestionNumber', { place: number })}</b>
        <span>
          <IconButton
            icon="up"
            label={t('checkMoveUp', { place: number })}
            aria-disabled={place === 0}
            onClick={() => onMove(place - 1)}
          />
          <IconButton
            icon="down"
            label={t('checkMoveDown', { place: number })}
            aria-disabled={place === total - 1}
            onClick={() => onMove(place + 1)}
          />
          <IconButton icon="bin" label={t('checkRemove', { place: number })} onClick={onRemove} />
        </span>
      </div>
      <Words
        label={t('checkQuestion')}
        value={question.text}
        range={QUESTION}
        error={errorOf('text')}
        onChange={(text) => change('text', { ...question, text })}
        onBlur={() => judge('text')}
      />
      <AnswerList
        answers={answers}
        errorOf={errorOf}
        judge={judge}
        forgive={forgive}
        onChange={(changed) => onChange({ ...question, answers: [...changed] })}
      />
      <Words
        label={t('checkExplanation')}
        help={t('checkExplanationHelp')}
        value={question.explanation}
        range={EXPLANATION}
        error={errorOf('explanation')}
        onChange={(explanation) => change('explanation', { ...question, explanation })}
        onBlur={() => judge('explanation')}
      />
    </fieldset>
  )
}

interface WordsProps {
  readonly label: string
  readonly help?: string
  readonly value: string
  readonly range: Range
  readonly error: string | undefined
  readonly onChange: (value: string) => void
  readonly onBlur: () => void
}

function Words({ label, help, value, range, error, onChange, onBlur }: WordsProps) {
  const { t } = useText()
  const length = lengthOf(normalizeText(value))
  return (
    <Field
      label={label}
      help={help}
      error={error}
      count={t('count', { length, max: range.max })}
      over={length > range.max || error !== undefined}
    >
      {(wiring) => (
        <TextArea
          {...wiring}
          dir="auto"
          autoComplete="off"
          rows={2}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
        />
      )}
    </Field>
  )
}
