import { Suspense, useEffect, useRef, useState } from 'react'
import { lazyPart } from '#web/core/router/page-view.ts'
import { useSession } from '#web/core/session.ts'
import { hostSignIn } from '#web/core/sign-in-request.ts'

const SignInDialog = lazyPart('layout/SignInDialog', async () => {
  const file = await import('#web/layout/SignInDialog.tsx')
  return file.SignInDialog
})

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
