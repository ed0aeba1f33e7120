import { type SyntheticEvent, useEffect, useId, useRef, useState } from 'react'
import type { AskedQuestion, useTaking } from '#web/items/checks/taking.ts'
import { useText } from '#web/core/i18n.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './SelfCheck.module.css'
import noteStyles from '#web/ui/styles/Note.module.css'
import fieldStyles from '#web/ui/inputs/Field.module.css'

interface AskedFormProps {
  readonly taking: Pick<
    ReturnType<typeof useTaking>,
    'busy' | 'refusal' | 'chosenOf' | 'choose' | 'send'
  >
  readonly questions: readonly AskedQuestion[]
  /** Suspended people can read the questions but not answer them. */
  readonly suspended: boolean
}

/** All questions must be answered before they are sent. */
export function AskedForm({ taking, questions, suspended }: AskedFormProps) {
  const { t } = useText()
  const { busy, refusal, chosenOf, choose, send } = taking
  const form = useRef<HTMLFormElement>(null)
  // Missing answers are marked after the first attempt.
  const [tries, setTries] = useState(0)
  const isMissing = (question: AskedQuestion) => chosenOf(question).length === 0
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [tries])
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (questions.some(isMissing)) setTries(tries + 1)
    else void send()
  }
  return (
    <form ref={form} onSubmit={submit} noValidate>
      {refusal !== null && (
        <Alert key={JSON.stringify([refusal.text, busy])} heading={t('error')} focus>
          {refusal.text}
        </Alert>
      )}
      {questions.map((question, place) => (
        <Asked
          key={JSON.stringify(question)}
          question={question}
          place={place}
          chosen={chosenOf(question)}
          missing={tries > 0 && isMissing(question)}
          disabled={suspended}
          onChoose={(chosen) => choose(question, chosen)}
        />
      ))}
      {suspended ? (
        <p className={classes(noteStyles.gate, styles.gate)}>{t('checkSuspended')}</p>
      ) : (
        <Button kind="main" type="submit" busy={busy}>
          {t('checkSend')}
        </Button>
      )}
    </form>
  )
}

interface AskedProps {
  readonly question: AskedQuestion
  readonly place: number
  readonly chosen: readonly number[]
  readonly missing: boolean
  readonly disabled: boolean
  readonly onChoose: (chosen: readonly number[]) => void
}

function Asked({ question, place, chosen, missing, disabled, onChoose }: AskedProps) {
  const { t } = useText()
  const id = useId()
  const { text, answers, several } = question
  const turn = (at: number, isChosen: boolean) => {
    const others = several ? chosen.filter((other) => other !== at) : []
    onChoose(isChosen ? [...others, at].toSorted((one, other) => one - other) : others)
  }
  const described = [several && `${id}-how`, missing && `${id}-error`].filter(Boolean).join(' ')
  return (
    <fieldset
      className={styles.asked}
      disabled={disabled}
      aria-describedby={described || undefined}
    >
      <legend lang={textLanguage(text)} dir="auto">
        <span className="num">{place + 1}.</span> {text}
      </legend>
      {several && (
        <p className={classes(fieldStyles.help, styles.help)} id={`${id}-how`}>
          {t('checkSeveral')}
        </p>
      )}
      {answers.map((answer, at) => (
        <label key={answer} className={classes('row', fieldStyles.choice, styles.row)}>
          <input
            type={several ? 'checkbox' : 'radio'}
            name={id}
            className={fieldStyles.check}
            checked={chosen.includes(at)}
            aria-invalid={missing || undefined}
            onChange={(event) => turn(at, event.target.checked)}
          />
          <span lang={textLanguage(answer)} dir="auto">
            {answer}
          </span>
        </label>
      ))}
      {missing && (
        <p data-error className={classes(fieldStyles.error, styles.error)} id={`${id}-error`}>
          <Icon name="warn" />
          {t(several ? 'checkUnansweredSeveral' : 'checkUnanswered')}
        </p>
      )}
    </fieldset>
  )
}
