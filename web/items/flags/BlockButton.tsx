import { useState } from 'react'
import { chat } from '#contract/chat.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'

interface BlockButtonProps {
  readonly person: ProfileCard
  readonly onBlocked: (blocked: boolean) => void
}

export function BlockButton({ person, onBlocked }: BlockButtonProps) {
  const { t } = useText()
  const { id, userName: username } = person
  const [asked, setAsked] = useState(false)
  const words = t('blockPerson', { username })
  return (
    <>
      <Button kind="bare" icon="no" aria-haspopup="dialog" onClick={() => setAsked(true)}>
        {words}
      </Button>
      {asked && (
        <ConfirmDialog
          onClose={() => setAsked(false)}
          title={words}
          step={{ label: words, kind: 'risk', icon: 'no' }}
          leave={t('close')}
          act={() => api(chat.block, { id })}
          onDone={({ blocked }) => onBlocked(blocked)}
        >
          <p>{t('blockWhat', { username })}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
