import { useState } from 'react'
import { people } from '#contract/people.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { toast } from '#web/core/toast.ts'
import { Button } from '#web/ui/Button.tsx'

interface UndoCorrectionButtonProps {
  readonly person: ProfileCard
  /** The id of the corrected entry. */
  readonly entry: number
}

export function UndoCorrectionButton({ person, entry }: UndoCorrectionButtonProps) {
  const { t, formatNumber } = useText()
  const reload = useReload()
  const [isOpen, setOpen] = useState(false)
  const { id, userName: username } = person
  return (
    <>
      <Button icon="undo" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('undo')}
      </Button>
      {isOpen && (
        <ConfirmDialog
          onClose={() => setOpen(false)}
          title={t('correctUndoTitle', { username })}
          step={{ label: t('undo'), kind: 'main', icon: 'undo' }}
          question={{ label: t('suspendReason') }}
          act={(reason) => api(people.undoCorrection, { id, entry, reason })}
          onDone={({ kbPoints }) => {
            toast(t('correctDone', { username, points: formatNumber(kbPoints) }))
            void reload()
          }}
        >
          <p>{t('correctUndoWhat')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
