import { lazy, Suspense, useState } from 'react'
import type { ProfileCard } from '#contract/profile-card.ts'
import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'

const SignOutDialog = lazy(() =>
  import('#web/flags/SignOutDialog.tsx').then((module) => ({ default: module.SignOutDialog })),
)

/** For administrators: ends all sessions and access tokens of a person, of an account that was stolen, say. */
export function SignOutButton({ person }: { readonly person: ProfileCard }) {
  const { t } = useText()
  const [asked, setAsked] = useState(false)
  const [open, setOpen] = useState(false)
  const words = t('everywhereSubmit')
  const ask = () => {
    setAsked(true)
    setOpen(true)
  }
  return (
    <>
      <Button
        icon="out"
        aria-haspopup="dialog"
        aria-label={`${words}: ${person.userName}`}
        onClick={ask}
      >
        {words}
      </Button>
      {asked && (
        <Suspense>
          <SignOutDialog person={person} open={open} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
