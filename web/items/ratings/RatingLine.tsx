import { useState } from 'react'
import { RATING_ANSWER } from '#contract/limits.ts'
import { fits } from '#contract/measure.ts'
import { message } from '#contract/message.ts'
import { ratings, type Rating } from '#contract/ratings.ts'
import { ComposeForm } from '#web/items/comments/ComposeForm.tsx'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { PersonName } from '#web/core/PersonName.tsx'
import { Quoted } from '#web/core/Quoted.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/time/Time.tsx'
import { StarRow } from '#web/items/ratings/StarRow.tsx'
import { useWriting } from '#web/items/ratings/writing.ts'
import { Button } from '#web/ui/Button.tsx'
import { Face } from '#web/ui/Face.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Ratings.module.css'
import commentsStyles from '#web/items/comments/Comments.module.css'

interface RatingLineProps {
  readonly rating: Rating
  /** True for the author of the rated item. */
  readonly mayAnswer: boolean
  readonly onChanged: (rating: Rating) => void
  /** Null where the viewer can't report it. */
  readonly onReport: ((rating: Rating) => void) | null
  /** Null for everybody but administrators. */
  readonly onDelete: ((rating: Rating) => void) | null
}

export function RatingLine({ rating, mayAnswer, onChanged, onReport, onDelete }: RatingLineProps) {
  const { t } = useText()
  const { id, stars, text, userName, imageUrl, date, answer } = rating
  const [writes, setWrites] = useState(false)
  return (
    <article className={classes(commentsStyles.say, styles.say)} id={`rating-${id}`} tabIndex={-1}>
      <Face src={imageUrl} />
      <header>
        <PersonName name={userName} />
        <StarRow stars={stars} />
        <span className={classes('quiet small', styles.small)}>
          <Time date={date} form="ago" />
        </span>
        {onReport !== null && text !== undefined && (
          <IconButton
            icon="flag"
            label={t('report')}
            aria-haspopup="dialog"
            aria-describedby={`rating-${id}`}
            onClick={() => onReport(rating)}
          />
        )}
      </header>
      <div>
        {text !== undefined && (
          <p lang={textLanguage(text)} dir="auto">
            {text}
          </p>
        )}
        {answer !== undefined && !writes && (
          <blockquote className={styles.ratingAnswer}>
            <p className={classes('small', styles.small)}>
              <b>{t('ratingAuthorSays')}</b>{' '}
              <span className="quiet">
                <Time date={answer.date} form="ago" />
              </span>
            </p>
            <p lang={textLanguage(answer.text)} dir="auto">
              {answer.text}
            </p>
          </blockquote>
        )}
        {mayAnswer && writes && (
          <AnswerForm
            rating={rating}
            onSaved={(changed) => {
              setWrites(false)
              onChanged(changed)
            }}
            onCancel={() => setWrites(false)}
          />
        )}
        {(mayAnswer || onDelete !== null) && !writes && (
          <div className={classes('acts', commentsStyles.acts)}>
            {mayAnswer && (
              <Button
                kind="bare"
                icon={answer === undefined ? 'talk' : 'pen'}
                className={classes('small', styles.small)}
                aria-describedby={`rating-${id}`}
                onClick={() => setWrites(true)}
              >
                {t(answer === undefined ? 'ratingAnswer' : 'ratingAnswerChange')}
              </Button>
            )}
            {answer !== undefined && <RemoveAnswer rating={rating} onChanged={onChanged} />}
            {onDelete !== null && (
              <Button
                kind="bare"
                icon="bin"
                className={classes('small', styles.small)}
                aria-haspopup="dialog"
                aria-describedby={`rating-${id}`}
                onClick={() => onDelete(rating)}
              >
                {t('ratingDeleteStep')}
              </Button>
            )}
          </div>
        )}
      </div>
    </article>
  )
}

interface AnswerFormProps {
  readonly rating: Rating
  readonly onSaved: (rating: Rating) => void
  readonly onCancel: () => void
}

function AnswerForm({ rating: { id, answer }, onSaved, onCancel }: AnswerFormProps) {
  const { t } = useText()
  const writing = useWriting({
    draft: `rating-answer:${id}`,
    before: { text: answer?.text ?? '', stars: 0 },
    max: RATING_ANSWER.max,
    judge: ({ text }) =>
      fits(text, RATING_ANSWER) ? null : message('ratingAnswerMs', { ...RATING_ANSWER }),
    send: async ({ text }) => onSaved(await api(ratings.answer, { id, text })),
  })
  return (
    <ComposeForm
      writing={writing}
      label={t('ratingAnswer')}
      rows={2}
      note={t('ratingAnswerHelp')}
      step={t(answer === undefined ? 'ratingAnswerSend' : 'saveChanges')}
      focusAtOnce
      onCancel={onCancel}
    />
  )
}

function RemoveAnswer({ rating, onChanged }: Pick<RatingLineProps, 'rating' | 'onChanged'>) {
  const { t } = useText()
  const [asks, setAsks] = useState(false)
  const { answer, ...without } = rating
  return (
    <>
      <Button
        kind="bare"
        icon="bin"
        className={classes('small', styles.small)}
        aria-haspopup="dialog"
        aria-describedby={`rating-${rating.id}`}
        onClick={() => setAsks(true)}
      >
        {t('ratingAnswerRemove')}
      </Button>
      {asks && (
        <ConfirmDialog
          onClose={() => setAsks(false)}
          title={t('ratingAnswerRemoveTitle')}
          step={{ label: t('delete'), kind: 'risk', icon: 'bin' }}
          act={() => api(ratings.unanswer, { id: rating.id })}
          onDone={() => onChanged(without)}
        >
          <Quoted text={answer?.text ?? ''} />
        </ConfirmDialog>
      )}
    </>
  )
}
