import { useText } from '#web/core/i18n.tsx'
import styles from '#web/ui/inputs/Form.module.css'

interface SavedDraftLineProps {
  /** Null when the form started without a draft. */
  readonly savedAt: string | null
  readonly onStartOver: () => void
}

/** Says that the form started with a draft, and offers to start over. */
export function SavedDraftLine({ savedAt, onStartOver }: SavedDraftLineProps) {
  const { t, formatMoment } = useText()
  if (savedAt === null) return null
  return (
    <p className="quiet">
      {t('draftKept', { time: formatMoment(savedAt) })}{' '}
      <button type="button" className={styles.asLink} onClick={onStartOver}>
        {t('startOver')}
      </button>
    </p>
  )
}
