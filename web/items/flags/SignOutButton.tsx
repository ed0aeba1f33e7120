import { useState } from 'react'
import { moderation } from '#contract/moderation.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'
import { Button } from '#web/ui/Button.tsx'

/**
 * Lets administrators end all sessions and access tokens of a person, for example after an account was stolen.
 */
export function SignOutButton({ person }: { readonly person: ProfileCard }) {
  const { t } = useText()
  const [isOpen, setOpen] = useState(false)
  const { id, userName: username } = person
  const label = t('everywhereSubmit')
  return (
    <>
      <Button
        icon="out"
        aria-haspopup="dialog"
        aria-label={`${label}: ${username}`}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      {isOpen && (
        <ConfirmDialog
          onClose={() => setOpen(false)}
          title={t('signOutTitle', { username })}
          step={{ label, kind: 'risk', icon: 'out' }}
          question={{ label: t('suspendReason') }}
          act={(reason) => api(moderation.signOut, { id, reason })}
          onDone={() => toast(t('signOutDone', { username }))}
        >
          <p>{t('signOutWhat')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
