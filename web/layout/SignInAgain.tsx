import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useSession } from '#web/core/session.ts'
import { hostSignIn } from '#web/core/sign-in-request.ts'

const SignInDialog = lazy(() =>
  import('#web/layout/SignInDialog.tsx').then((file) => ({ default: file.SignInDialog })),
)

/**
 * Asks for the password over the page, when a call found the session ended: the form behind it keeps every letter and
 * is sent afterwards.
 */
export function SignInAgain() {
  const person = useSession()
  const answer = useRef<((signedIn: boolean) => void) | null>(null)
  const [open, setOpen] = useState(false)
  useEffect(
    () =>
      hostSignIn(
        () =>
          new Promise((resolve) => {
            answer.current = resolve
            setOpen(true)
          }),
      ),
    [],
  )

  function finish(signedIn: boolean): void {
    setOpen(false)
    answer.current?.(signedIn)
    answer.current = null
  }

  if (!open) return null
  return (
    <Suspense>
      <SignInDialog username={person?.username ?? ''} onFinish={finish} />
    </Suspense>
  )
}
