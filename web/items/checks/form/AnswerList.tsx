import { useId } from 'react'
import { CHECK_ANSWERS } from '#contract/limits.ts'
import { AnswerField } from '#web/items/checks/form/AnswerField.tsx'
import { type Answer, newAnswer, withItem, without } from '#web/items/checks/form/editing.ts'
import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Questions.module.css'
import fieldStyles from '#web/ui/inputs/Field.module.css'

interface AnswerListProps {
  readonly answers: readonly Answer[]
  /** The error of a part such as `answers.1.text`. `right` means that no answer is marked as right. */
  readonly errorOf: (part: string) => string | undefined
  readonly judge: (part: string) => void
  readonly forgive: () => void
  readonly onChange: (answers: readonly Answer[]) => void
}

export function AnswerList({ answers, errorOf, judge, forgive, onChange }: AnswerListProps) {
  const { t } = useText()
  const id = useId()
  const noRight = errorOf('right')
  const arrange = (changed: readonly Answer[]) => {
    onChange(changed)
    forgive()
  }
  const change = (place: number, changed: Answer) => {
    const part = `answers.${place}.text`
    onChange(withItem(answers, place, changed))
    if (errorOf(part) !== undefined) judge(part)
    if (noRight !== undefined) judge('right')
  }
  return (
    <div className={styles.answerList} role="group" aria-label={t('checkAnswers')}>
      <p className={fieldStyles.lab} aria-hidden="true">
        {t('checkAnswers')}
      </p>
      <p className={classes(fieldStyles.help, styles.help)}>{t('checkAnswersHelp')}</p>
      {answers.map((answer, place) => (
        <AnswerField
          // Answers have no id, so the position is the key.
          key={`${answers.length} ${place}`}
          answer={answer}
          place={place}
          error={errorOf(`answers.${place}.text`)}
          noRightId={noRight === undefined ? undefined : id}
          onChange={(changed) => change(place, changed)}
          onBlur={() => judge(`answers.${place}.text`)}
          onRemove={
            answers.length > CHECK_ANSWERS.min ? () => arrange(without(answers, place)) : undefined
          }
        />
      ))}
      {noRight !== undefined && (
        <p data-error className={classes(fieldStyles.error, styles.error)} id={id}>
          <Icon name="warn" />
          {noRight}
        </p>
      )}
      {answers.length < CHECK_ANSWERS.max && (
        <Button kind="bare" icon="plus" onClick={() => arrange([...answers, newAnswer()])}>
          {t('checkAddAnswer')}
        </Button>
      )}
    </div>
  )
}
