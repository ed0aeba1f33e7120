import { useText } from '#web/core/i18n.tsx'
import type { OfferedDraft } from '#web/items/form/item-form.ts'
import { Button } from '#web/ui/Button.tsx'

interface DraftOfferProps {
  /** Null: there is nothing to offer. */
  readonly offer: OfferedDraft | null
  /** A sentence for when the item was saved after the draft was begun. */
  readonly older: string
}

/** A draft that was never saved is offered, and put over nothing by itself. */
export function DraftOffer({ offer, older }: DraftOfferProps) {
  const { t, formatMoment } = useText()
  if (offer === null) return null
  return (
    <div role="note">
      <p className="quiet">
        {t('draftOffered', { time: formatMoment(offer.savedAt) })} {offer.isOlder && older}
      </p>
      <p className="acts">
        <Button onClick={offer.onTake}>{t('draftTake')}</Button>
        <Button kind="bare" onClick={offer.onDrop}>
          {t('draftDrop')}
        </Button>
      </p>
    </div>
  )
}
