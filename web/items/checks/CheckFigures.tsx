import { useEffect, useState } from 'react'
import { checks, type CheckFigures as Counted } from '#contract/checks.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Meter } from '#web/ui/Meter.tsx'
import styles from '#web/ui/points/Ledger.module.css'

/** Shows the author how often each answer was chosen. */
export function CheckFigures({ lesson }: { readonly lesson: number }) {
  const { t } = useText()
  const [times, setTimes] = useState(0)
  const [figures, setFigures] = useState<Counted | 'failed' | null>(null)
  useEffect(() => {
    let isLeft = false
    const keep = (counted: Counted | 'failed') => {
      if (!isLeft) setFigures(counted)
    }
    api(checks.figures, { lessonId: lesson }).then(keep, () => keep('failed'))
    return () => {
      isLeft = true
    }
  }, [lesson, times])
  if (figures === null) return <p role="status">{t('checkLoading')}</p>
  if (figures === 'failed')
    return (
      <p className="quiet">
        {t('checkFiguresFailed')}{' '}
        <Button kind="bare" icon="retry" onClick={() => setTimes(times + 1)}>
          {t('tryAgain')}
        </Button>
      </p>
    )
  const { attempts, passed, questions } = figures
  if (attempts === 0) return <p>{t('checkNobody')}</p>
  return (
    <>
      <p>
        {t('checkAttempts', { total: attempts, passed })} {t('checkCountedAnew')}
      </p>
      {questions.map((question) => (
        <QuestionFigures key={question.text} question={question} attempts={attempts} />
      ))}
    </>
  )
}

interface QuestionFiguresProps {
  readonly question: Counted['questions'][number]
  readonly attempts: number
}

function QuestionFigures({ question, attempts }: QuestionFiguresProps) {
  const { t, formatNumber, formatPercent } = useText()
  return (
    <table className={styles.ledger}>
      <caption>
        <span lang={textLanguage(question.text)} dir="auto">
          {question.text}
        </span>
        <small>{t('checkQuestionRight', { right: question.right, total: attempts })}</small>
      </caption>
      <thead>
        <tr>
          <th scope="col">{t('checkAnswer')}</th>
          <th scope="col" className={styles.n}>
            {t('checkChosen')}
          </th>
          <th scope="col" className={styles.n}>
            {t('checkShare')}
          </th>
        </tr>
      </thead>
      <tbody>
        {question.answers.map(({ text, right, chosen }) => (
          <tr key={text}>
            <th scope="row">
              <span lang={textLanguage(text)} dir="auto">
                {text}
              </span>
              {right && (
                <small>
                  <Icon name="check" /> {t('checkIsRight')}
                </small>
              )}
              <Meter kind="bar-of" value={chosen} max={attempts} label={text} />
            </th>
            <td className={styles.n}>{formatNumber(chosen)}</td>
            <td className={styles.n}>{formatPercent(chosen / attempts)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
