import { useEffect, useState } from 'react'
import { type CaptionOffer, type Captions, captions as calls } from '#contract/captions.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { Quoted } from '#web/core/Quoted.tsx'
import { Time } from '#web/core/time/Time.tsx'
import { languageName } from '#web/items/shared/caption-language.ts'
import { OfferLine } from '#web/items/captions/page/OfferLine.tsx'
import { Button } from '#web/ui/Button.tsx'
import { RowSkeleton } from '#web/ui/Skeleton.tsx'
import styles from './CaptionsPage.module.css'

const STATES = {
  open: 'captionsOfferOpen',
  accepted: 'captionsAccepted',
  declined: 'captionsDeclined',
} as const satisfies Record<CaptionOffer['state'], MessageKey>

interface Loaded {
  readonly offers: readonly CaptionOffer[]
  /** Empty for people who don't decide. */
  readonly present: readonly Captions[]
}

interface OffersProps {
  readonly lesson: number
  /** The author decides; others see what they offered. */
  readonly isAuthor: boolean
  readonly onDecided: () => void
}

export function Offers({ lesson, isAuthor, onDecided }: OffersProps) {
  const { t } = useText()
  const [loaded, setLoaded] = useState<Loaded | 'failed' | null>(null)
  const [times, setTimes] = useState(0)
  useEffect(() => {
    let isLeft = false
    const load = async (): Promise<Loaded> => {
      const [offers, present] = await Promise.all([
        api(calls.offers, { lessonId: lesson }),
        isAuthor ? api(calls.ofLesson, { lessonId: lesson }) : [],
      ])
      return { offers, present }
    }
    void load()
      .catch(() => 'failed' as const)
      .then((found) => {
        if (!isLeft) setLoaded(found)
      })
    return () => {
      isLeft = true
    }
  }, [lesson, isAuthor, times])
  if (loaded === null) return <RowSkeleton label={t('captionsLoading')} />
  if (loaded === 'failed')
    return (
      <p className="quiet">
        {t('captionsOffersFailed')}{' '}
        <Button kind="bare" icon="retry" onClick={() => setTimes((count) => count + 1)}>
          {t('tryAgain')}
        </Button>
      </p>
    )
  const { offers, present } = loaded
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
              present={present.find(({ language }) => language === offer.language)?.cues ?? []}
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
