import { useId } from 'react'
import { MOST_QUESTIONS } from '#contract/limits.ts'
import type { Question } from '#contract/questions.ts'
import { withItem } from '#web/items/checks/form/editing.ts'
import { useQuestionOrder } from '#web/items/checks/form/question-order.ts'
import { QuestionFields } from '#web/items/checks/form/QuestionFields.tsx'
import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Questions.module.css'
import fieldStyles from '#web/ui/inputs/Field.module.css'

interface QuestionsFieldProps {
  readonly value: readonly Question[]
  /** The error of a part such as `checks.0.text`. */
  readonly errorOf: (path: string) => string | undefined
  readonly onChange: (questions: readonly Question[]) => void
  /** Shows the errors of these parts from now on. */
  readonly judge: (paths: readonly string[]) => void
  /** Clears all errors, because the parts have other indexes now. */
  readonly forgive: () => void
}

export function QuestionsField({ value, errorOf, onChange, judge, forgive }: QuestionsFieldProps) {
  const { t } = useText()
  const id = useId()
  const { box, names, announcement, gone, add, move, remove, bringBack } = useQuestionOrder(
    value,
    (questions) => {
      onChange(questions)
      forgive()
    },
  )
  const isFull = value.length >= MOST_QUESTIONS
  return (
    <div
      className={fieldStyles.field}
      data-field="checks"
      ref={box}
      role="group"
      aria-labelledby={id}
    >
      <span className={fieldStyles.lab} id={id}>
        {t('checkLabel')}
      </span>
      <p className={classes(fieldStyles.help, styles.help)}>
        {t('checkHelp', { max: MOST_QUESTIONS })}
      </p>
      {value.map((question, place) => (
        <QuestionFields
          key={names[place]}
          question={question}
          place={place}
          total={value.length}
          errorOf={(part) => errorOf(`checks.${place}.${part}`)}
          onChange={(changed) => onChange(withItem(value, place, changed))}
          judge={(...parts) => judge(parts.map((part) => `checks.${place}.${part}`))}
          forgive={forgive}
          onMove={(to) => move(place, to)}
          onRemove={() => remove(place)}
        />
      ))}
      <div className={styles.questionsFoot}>
        {gone !== null && (
          <p>
            {t('checkRemoved', { place: gone.place + 1 })}{' '}
            <Button kind="bare" icon="undo" disabled={isFull} onClick={bringBack}>
              {t('undo')}
            </Button>
          </p>
        )}
        <Button
          icon="plus"
          disabled={isFull}
          reason={isFull ? t('checkQuestionsMs', { max: MOST_QUESTIONS }) : undefined}
          onClick={add}
        >
          {t('checkAdd')}
        </Button>
      </div>
      <p className="sr" role="status">
        {announcement}
      </p>
    </div>
  )
}
