import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'

interface ConflictStepsProps {
  /** The address of the saved item. */
  readonly href: string
  readonly onOverwrite: () => Promise<void>
}

/** Shown when somebody else saved meanwhile. The typed text is kept with either choice. */
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
