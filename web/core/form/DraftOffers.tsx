import { useId } from 'react'
import { useText } from '#web/core/i18n.tsx'
import type { DraftOffer } from '#web/core/storage/drafts.ts'
import { Button } from '#web/ui/Button.tsx'

interface DraftOffersProps {
  readonly offers: readonly (DraftOffer & { readonly isOlder?: boolean })[]
  /** Shown beside drafts that are older than what the form shows. */
  readonly older?: string
}

/** Offers drafts from other tabs and devices, and from earlier visits. It never overwrites the form unasked. */
export function DraftOffers({ offers, older }: DraftOffersProps) {
  const { t, formatMoment } = useText()
  const id = useId()
  return offers.map(({ key, savedAt, text, isOlder, onTake, onDrop }) => (
    <div key={key} role="note">
      <p className="quiet" id={`${id}${key}`}>
        {text ?? t('draftOffered', { time: formatMoment(savedAt) })} {isOlder === true && older}
      </p>
      <p className="acts">
        <Button aria-describedby={`${id}${key}`} onClick={onTake}>
          {t('draftTake')}
        </Button>
        <Button kind="bare" aria-describedby={`${id}${key}`} onClick={onDrop}>
          {t('draftDrop')}
        </Button>
      </p>
    </div>
  ))
}
