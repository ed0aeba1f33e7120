import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'

interface DraftOfferProps {
  readonly savedAt: string
  /** The lesson was saved after it. */
  readonly isOlder: boolean
  readonly onTake: () => void
  readonly onDrop: () => void
}

/** A draft that was never saved is offered, and put over nothing by itself. */
export function DraftOffer({ savedAt, isOlder, onTake, onDrop }: DraftOfferProps) {
  const { t, formatTime } = useText()
  return (
    <div role="note">
      <p className="quiet">
        {t('draftOffered', { time: formatTime(savedAt) })} {isOlder && t('draftOlder')}
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
