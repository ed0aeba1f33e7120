import { useState } from 'react'
import { moderation } from '#contract/moderation.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { toast } from '#web/core/toast.ts'
import { Button } from '#web/ui/Button.tsx'

interface SuspendButtonProps {
  readonly person: ProfileCard
  readonly suspended: boolean
}

/** For administrators. Both acts need a reason. */
export function SuspendButton({ person, suspended }: SuspendButtonProps) {
  const { t } = useText()
  const reload = useReload()
  const [asked, setAsked] = useState(false)
  const { id, userName: username } = person
  const words = t(suspended ? 'lift' : 'suspend')
  const icon = suspended ? 'undo' : 'no'
  return (
    <>
      <Button
        kind={suspended ? undefined : 'risk'}
        icon={icon}
        aria-haspopup="dialog"
        aria-label={`${words}: ${username}`}
        onClick={() => setAsked(true)}
      >
        {words}
      </Button>
      {asked && (
        <ConfirmDialog
          onClose={() => setAsked(false)}
          title={t(suspended ? 'liftTitle' : 'suspendTitle', { username })}
          step={{ label: words, kind: suspended ? 'main' : 'risk', icon }}
          question={{ label: t('suspendReason') }}
          act={(reason) =>
            api(suspended ? moderation.unsuspend : moderation.suspend, { id, reason })
          }
          onDone={() => {
            toast(t(suspended ? 'liftDone' : 'suspendDone', { username }))
            void reload()
          }}
        >
          <p>{t(suspended ? 'liftWhat' : 'suspendWhat')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
