import { useEffect, useRef } from 'react'
import type { Taken } from '#contract/checks.ts'
import type { AskedQuestion } from '#web/items/checks/taking.ts'
import { useText } from '#web/core/i18n.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Button } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './SelfCheck.module.css'

interface JudgedProps {
  readonly questions: readonly AskedQuestion[]
  readonly chosenOf: (question: AskedQuestion) => readonly number[]
  readonly taken: Taken
  readonly onAgain: () => void
}

/** Takes the focus, because the pressed button is gone. */
export function Judged({ questions, chosenOf, taken, onAgain }: JudgedProps) {
  const { t } = useText()
  const score = useRef<HTMLParagraphElement>(null)
  useEffect(() => score.current?.focus(), [])
  const right = taken.right.filter(Boolean).length
  const of = taken.right.length
  return (
    <>
      <p className={styles.score} tabIndex={-1} ref={score}>
        {t('checkScore', { right, of })}
        {taken.passed && ` ${t('checkAllRight')}`}
      </p>
      <ol className={styles.judged}>
        {questions.map((question, place) => (
          <li key={JSON.stringify(question)}>
            <h3 lang={textLanguage(question.text)} dir="auto">
              {question.text}
            </h3>
            <p
              className={classes(
                styles.verdict,
                taken.right[place] === true ? styles.right : styles.wrong,
              )}
            >
              <Icon name={taken.right[place] === true ? 'check' : 'x'} />
              {t(taken.right[place] === true ? 'checkRight' : 'checkWrong')}
            </p>
            <Answers
              question={question}
              chosen={chosenOf(question)}
              right={taken.rightAnswers[place] ?? []}
            />
            <p
              className={styles.why}
              lang={textLanguage(taken.explanations[place] ?? '')}
              dir="auto"
            >
              {taken.explanations[place]}
            </p>
          </li>
        ))}
      </ol>
      <Button icon="retry" onClick={onAgain}>
        {t('checkAgain')}
      </Button>
    </>
  )
}

interface AnswersProps {
  readonly question: AskedQuestion
  readonly chosen: readonly number[]
  readonly right: readonly number[]
}

function Answers({ question, chosen, right }: AnswersProps) {
  const { t } = useText()
  return (
    <ul>
      {question.answers.map((answer, at) => {
        const isRight = right.includes(at)
        const isChosen = chosen.includes(at)
        const words = isRight ? (isChosen ? 'checkRightYours' : 'checkRightAnswer') : 'checkYours'
        return (
          <li
            key={answer}
            className={classes(isRight && styles.isRight, isChosen && styles.isChosen)}
          >
            {isRight || isChosen ? <Icon name={isRight ? 'check' : 'x'} /> : <i />}
            <span lang={textLanguage(answer)} dir="auto">
              {answer}
            </span>
            {(isRight || isChosen) && <em>{t(words)}</em>}
          </li>
        )
      })}
    </ul>
  )
}
