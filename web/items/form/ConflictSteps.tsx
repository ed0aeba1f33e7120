import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'

interface ConflictStepsProps {
  /** Where the saved item is seen. */
  readonly href: string
  readonly onOverwrite: () => Promise<void>
}

/** Somebody saved meanwhile: look at theirs, or put one's own over it. Nothing typed is lost either way. */
export function ConflictSteps({ href, onOverwrite }: ConflictStepsProps) {
  const { t } = useText()
  return (
    <span className="acts">
      <a href={href} target="_blank" rel="noopener">
        {t('conflictLook')}
      </a>
      <Button onClick={() => void onOverwrite()}>{t('conflictOverwrite')}</Button>
    </span>
  )
}
