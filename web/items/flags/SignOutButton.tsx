import { useState } from 'react'
import { moderation } from '#contract/moderation.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'
import { Button } from '#web/ui/Button.tsx'

/** For administrators. Ends all sessions and access tokens of a person, for example after a theft of the account. */
export function SignOutButton({ person }: { readonly person: ProfileCard }) {
  const { t } = useText()
  const [asked, setAsked] = useState(false)
  const { id, userName: username } = person
  const words = t('everywhereSubmit')
  return (
    <>
      <Button
        icon="out"
        aria-haspopup="dialog"
        aria-label={`${words}: ${username}`}
        onClick={() => setAsked(true)}
      >
        {words}
      </Button>
      {asked && (
        <ConfirmDialog
          onClose={() => setAsked(false)}
          title={t('signOutTitle', { username })}
          step={{ label: words, kind: 'risk', icon: 'out' }}
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
