import { REASON } from '#contract/limits.ts'
import { message } from '#contract/message.ts'
import { moderation } from '#contract/moderation.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import { api } from '#web/core/api.ts'
import { ReasonDialog } from '#web/core/form/ReasonDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'

interface SignOutDialogProps {
  readonly person: ProfileCard
  readonly open: boolean
  readonly onClose: () => void
}

/** Says what it means to be signed out everywhere, and asks why. */
export function SignOutDialog({ person, open, onClose }: SignOutDialogProps) {
  const { t, tp } = useText()
  const { id, userName: username } = person
  return (
    <ReasonDialog
      open={open}
      onClose={onClose}
      title={t('signOutTitle', { username })}
      step={{ label: t('everywhereSubmit'), kind: 'risk', icon: 'out' }}
      question={{
        label: t('suspendReason'),
        range: REASON,
        problem: tp(message('reasonValMs', { ...REASON })),
      }}
      send={async (reason) => {
        await api(moderation.signOut, { id, reason })
        toast(t('signOutDone', { username }))
        onClose()
      }}
    >
      <p>{t('signOutWhat')}</p>
    </ReasonDialog>
  )
}
