import { REASON } from '#contract/limits.ts'
import { message } from '#contract/message.ts'
import { moderation } from '#contract/moderation.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import { api } from '#web/core/api.ts'
import { ReasonDialog } from '#web/core/form/ReasonDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { toast } from '#web/core/toast.ts'

interface SuspendDialogProps {
  readonly person: ProfileCard
  /** They are: what is asked is whether to lift it. */
  readonly suspended: boolean
  readonly open: boolean
  readonly onClose: () => void
}

/** Says what a suspension means and asks why; lifting one needs no reason. */
export function SuspendDialog({ person, suspended, open, onClose }: SuspendDialogProps) {
  const { t, tp } = useText()
  const reload = useReload()
  const { id, userName: username } = person
  return (
    <ReasonDialog
      open={open}
      onClose={onClose}
      title={t(suspended ? 'liftTitle' : 'suspendTitle', { username })}
      step={{
        label: t(suspended ? 'lift' : 'suspend'),
        kind: suspended ? 'main' : 'risk',
        icon: suspended ? 'undo' : 'no',
      }}
      question={{
        label: t(suspended ? 'liftReason' : 'suspendReason'),
        range: REASON,
        problem: tp(message('reasonValMs', { ...REASON })),
        optional: suspended,
      }}
      send={async (reason) => {
        await api(suspended ? moderation.unsuspend : moderation.suspend, { id, reason })
        toast(t(suspended ? 'liftDone' : 'suspendDone', { username }))
        onClose()
        await reload()
      }}
    >
      <p>{t(suspended ? 'liftWhat' : 'suspendWhat')}</p>
    </ReasonDialog>
  )
}
