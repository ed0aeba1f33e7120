import { lazy, Suspense, useState } from 'react'
import type { ProfileCard } from '#contract/profile-card.ts'
import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'

const SuspendDialog = lazy(() =>
  import('#web/flags/SuspendDialog.tsx').then((module) => ({ default: module.SuspendDialog })),
)

interface SuspendButtonProps {
  readonly person: ProfileCard
  readonly suspended: boolean
}

/** For administrators: keeps a person from writing, or lifts it; asks for the reason first. */
export function SuspendButton({ person, suspended }: SuspendButtonProps) {
  const { t } = useText()
  const [asked, setAsked] = useState(0)
  const [open, setOpen] = useState(false)
  const words = t(suspended ? 'lift' : 'suspend')
  const ask = () => {
    setAsked(asked + 1)
    setOpen(true)
  }
  return (
    <>
      <Button
        kind={suspended ? undefined : 'risk'}
        icon={suspended ? 'undo' : 'no'}
        aria-haspopup="dialog"
        aria-label={`${words}: ${person.userName}`}
        onClick={ask}
      >
        {words}
      </Button>
      {asked > 0 && (
        <Suspense>
          <SuspendDialog
            key={asked}
            person={person}
            suspended={suspended}
            open={open}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
