import { useText } from '#web/core/i18n.tsx'
import styles from '#web/ui/inputs/Form.module.css'

interface SavedDraftLineProps {
  /** Null when the form started without a draft. */
  readonly savedAt: string | null
  /** True if the draft was saved on another device. */
  readonly isFromElsewhere: boolean
  readonly onStartOver: () => void
}

/** Says that the form started with a draft, and offers to start over. */
export function SavedDraftLine({ savedAt, isFromElsewhere, onStartOver }: SavedDraftLineProps) {
  const { t, formatMoment } = useText()
  if (savedAt === null) return null
  return (
    <p className="quiet">
      {t(isFromElsewhere ? 'draftGoesOn' : 'draftKept', { time: formatMoment(savedAt) })}{' '}
      <button type="button" className={styles.asLink} onClick={onStartOver}>
        {t(isFromElsewhere ? 'draftDiscard' : 'startOver')}
      </button>
    </p>
  )
}
