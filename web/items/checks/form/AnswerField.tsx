import { useId } from 'react'
import type { Answer } from '#web/items/checks/form/editing.ts'
import { useText } from '#web/core/i18n.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Checkbox } from '#web/ui/inputs/Checkbox.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Questions.module.css'
import fieldStyles from '#web/ui/inputs/Field.module.css'

interface AnswerFieldProps {
  readonly answer: Answer
  readonly place: number
  readonly error: string | undefined
  /** The id of the message that no answer is marked as right. */
  readonly noRightId: string | undefined
  readonly onChange: (answer: Answer) => void
  readonly onBlur: () => void
  /** Undefined if the question has the minimum of answers. */
  readonly onRemove: (() => void) | undefined
}

export function AnswerField(props: AnswerFieldProps) {
  const { answer, place, error, noRightId, onChange, onBlur, onRemove } = props
  const { t } = useText()
  const id = useId()
  const number = place + 1
  return (
    <div className={styles.answer}>
      <div>
        <Checkbox
          bare
          checked={answer.right}
          aria-describedby={noRightId}
          aria-invalid={noRightId === undefined ? undefined : true}
          onChange={(event) => onChange({ ...answer, right: event.target.checked })}
        >
          {t('checkAnswerRight', { place: number })}
        </Checkbox>
        <TextInput
          dir="auto"
          autoComplete="off"
          aria-label={t('checkAnswerNumber', { place: number })}
          aria-describedby={error === undefined ? undefined : id}
          aria-invalid={error === undefined ? undefined : true}
          value={answer.text}
          onChange={(event) => onChange({ ...answer, text: event.target.value })}
          onBlur={onBlur}
        />
        {onRemove !== undefined && (
          <IconButton
            icon="x"
            label={t('checkRemoveAnswer', { place: number })}
            onClick={onRemove}
          />
        )}
      </div>
      {error !== undefined && (
        <p data-error className={classes(fieldStyles.error, styles.error)} id={id}>
          <Icon name="warn" />
          {error}
        </p>
      )}
    </div>
  )
}
