import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'

interface DraftOfferProps {
  readonly savedAt: string
  /** A sentence, when the item was saved after it. */
  readonly older: string | undefined
  readonly onTake: () => void
  readonly onDrop: () => void
}

/** A draft that was never saved is offered, and put over nothing by itself. */
export function DraftOffer({ savedAt, older, onTake, onDrop }: DraftOfferProps) {
  const { t, formatTime } = useText()
  return (
    <div role="note">
      <p className="quiet">
        {t('draftOffered', { time: formatTime(savedAt) })} {older}
      </p>
      <p className="acts">
        <Button onClick={onTake}>{t('draftTake')}</Button>
        <Button kind="bare" onClick={onDrop}>
          {t('draftDrop')}
        </Button>
      </p>
    </div>
  )
}
