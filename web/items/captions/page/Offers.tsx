import { useEffect, useState } from 'react'
import { type CaptionOffer, captions as calls } from '#contract/captions.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { Quoted } from '#web/core/Quoted.tsx'
import { Time } from '#web/core/time/Time.tsx'
import { languageName } from '#web/items/shared/caption-language.ts'
import { useLessonCaptions } from '#web/items/captions/lesson-captions.ts'
import { OfferLine } from '#web/items/captions/page/OfferLine.tsx'
import { Button } from '#web/ui/Button.tsx'
import { RowSkeleton } from '#web/ui/Skeleton.tsx'
import styles from './CaptionsPage.module.css'

const STATES = {
  open: 'captionsOfferOpen',
  accepted: 'captionsAccepted',
  declined: 'captionsDeclined',
} as const satisfies Record<CaptionOffer['state'], MessageKey>

interface OffersProps {
  readonly lesson: number
  /** The author decides; others see what they offered. */
  readonly isAuthor: boolean
  readonly onDecided: () => void
}

export function Offers({ lesson, isAuthor, onDecided }: OffersProps) {
  const { t } = useText()
  const { captions } = useLessonCaptions(lesson)
  const [offers, setOffers] = useState<readonly CaptionOffer[] | 'failed' | null>(null)
  const [times, setTimes] = useState(0)
  useEffect(() => {
    let isLeft = false
    void api(calls.offers, { lessonId: lesson })
      .catch(() => 'failed' as const)
      .then((loaded) => {
        if (!isLeft) setOffers(loaded)
      })
    return () => {
      isLeft = true
    }
  }, [lesson, times])
  if (offers === null) return <RowSkeleton label={t('captionsLoading')} />
  if (offers === 'failed')
    return (
      <p className="quiet">
        {t('captionsOffersFailed')}{' '}
        <Button kind="bare" icon="retry" onClick={() => setTimes((count) => count + 1)}>
          {t('tryAgain')}
        </Button>
      </p>
    )
  if (offers.length === 0) return null
  return (
    <section aria-labelledby="offers">
      <h2 id="offers">{t('captionsOffers')}</h2>
      <ul className={styles.offers}>
        {offers.map((offer) =>
          isAuthor ? (
            <OfferLine
              key={offer.id}
              offer={offer}
              present={captions?.find(({ language }) => language === offer.language)?.cues ?? []}
              onDecided={onDecided}
            />
          ) : (
            <OwnOffer key={offer.id} offer={offer} />
          ),
        )}
      </ul>
    </section>
  )
}

function OwnOffer({ offer: { language, state, date, answer, amount } }: { offer: CaptionOffer }) {
  const { t, locale } = useText()
  return (
    <li>
      <p>
        <b>{languageName(locale, language)}</b>: {t(STATES[state])}{' '}
        {amount > 0 && t('captionsPaid', { amount })}{' '}
        <span className="quiet">
          <Time date={date} form="moment" />
        </span>
      </p>
      {answer !== null && <Quoted text={answer} />}
    </li>
  )
}
