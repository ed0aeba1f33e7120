import { useId, useState } from 'react'
import { RATING_TEXT, STARS } from '#contract/limits.ts'
import { fits, normalizeText } from '#contract/measure.ts'
import { message } from '#contract/message.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import type { ItemKind } from '#contract/points.ts'
import { ratings, type Rating } from '#contract/ratings.ts'
import { ComposeForm } from '#web/items/comments/ComposeForm.tsx'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { passIfGone } from '#web/core/api-error.ts'
import { STAR_NUMBERS } from '#web/items/ratings/StarRow.tsx'
import { type Typed, useWriting } from '#web/items/ratings/writing.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './Ratings.module.css'

const NOTHING: Typed = { text: '', stars: 0 }
const WORDS: Readonly<Record<number, MessageKey>> = {
  1: 'starsPoor',
  2: 'starsFair',
  3: 'starsGood',
  4: 'starsVeryGood',
  5: 'starsExcellent',
}

interface RatingFormProps {
  readonly kind: ItemKind
  readonly id: number
  /** The viewer's present rating; null when there is none. */
  readonly own: Rating | null
  /** Called with the new rating, or null after it was deleted. */
  readonly onChange: (own: Rating | null) => void
}

/** The viewer's own rating of an item they unlocked. Sending it again replaces it. */
export function RatingForm({ kind, id, own, onChange }: RatingFormProps) {
  const { t } = useText()
  const [asks, setAsks] = useState(false)
  const isLesson = kind === 'lesson'
  const writing = useWriting({
    draft: `rating:${kind}:${id}`,
    before: own === null ? NOTHING : { text: own.text ?? '', stars: own.stars },
    max: RATING_TEXT.max,
    judge,
    send: async ({ text, stars }) => {
      const given = { id, stars, text }
      onChange(await api(isLesson ? ratings.rateLesson : ratings.rateCourse, given))
    },
  })
  return (
    <div className={styles.rate}>
      <ComposeForm
        writing={writing}
        above={<StarChoice stars={writing.stars} choose={writing.choose} />}
        label={t('ratingWords')}
        placeholder={t('ratingPlaceholder')}
        rows={2}
        note={t(own === null ? 'ratingHelp' : 'ratingChangeHelp')}
        step={t(own === null ? 'rate' : 'ratingChange')}
        focusAtOnce={false}
      />
      {own !== null && (
        <Button kind="bare" icon="bin" aria-haspopup="dialog" onClick={() => setAsks(true)}>
          {t('ratingRemove')}
        </Button>
      )}
      {asks && (
        <ConfirmDialog
          onClose={() => setAsks(false)}
          title={t('ratingRemoveTitle')}
          step={{ label: t('ratingRemove'), kind: 'risk', icon: 'bin' }}
          act={() =>
            api(isLesson ? ratings.unrateLesson : ratings.unrateCourse, { id }).catch(passIfGone)
          }
          onDone={() => onChange(null)}
        >
          <p>{t('ratingRemoveWords')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

function judge({ text, stars }: Typed): string | null {
  if (stars === 0) return message('ratingStarsMs', { ...STARS })
  if (normalizeText(text) === '' || fits(text, RATING_TEXT)) return null
  return message('ratingTextMs', { ...RATING_TEXT })
}

interface StarChoiceProps {
  readonly stars: number
  readonly choose: (stars: number) => void
}

/** Five stars as one radio group: the arrow keys move through it, and each star has a word for screen readers. */
function StarChoice({ stars, choose }: StarChoiceProps) {
  const { t } = useText()
  const name = useId()
  return (
    <fieldset className={styles.starChoice}>
      <legend>{t('ratingYours')}</legend>
      {STAR_NUMBERS.map((star) => (
        <label key={star} title={t(WORDS[star] ?? 'rating')}>
          <input
            type="radio"
            name={name}
            value={star}
            checked={star === stars}
            onChange={() => choose(star)}
          />
          <Icon name="star" filled={star <= stars} />
          <span className="sr">
            {t('starsNumber', { stars: star })}, {t(WORDS[star] ?? 'rating')}
          </span>
        </label>
      ))}
      <span className={styles.starWord} aria-hidden="true">
        {t(WORDS[stars] ?? 'starsNone')}
      </span>
    </fieldset>
  )
}
