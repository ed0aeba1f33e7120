import { useText } from '#web/core/i18n.tsx'
import { announce } from '#web/core/moments/announce.ts'
import { Button } from '#web/ui/Button.tsx'

export interface DoneStepProps {
  readonly isDone: boolean
  readonly mark: (done: boolean) => void
}

export function DoneStep({ isDone, mark }: DoneStepProps) {
  const { t } = useText()
  return (
    <Button
      icon={isDone ? 'undo' : 'check'}
      onClick={() => {
        mark(!isDone)
        announce(t(isDone ? 'lessonMarkedUndone' : 'lessonMarkedDone'))
      }}
    >
      {t(isDone ? 'courseUnmarkDone' : 'courseMarkDone')}
    </Button>
  )
}
