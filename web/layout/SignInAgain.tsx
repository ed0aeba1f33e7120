import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useSession } from '#web/core/session.ts'
import { hostSignIn, type SignInRequest } from '#web/core/sign-in-request.ts'

const SignInDialog = lazy(async () => {
  const file = await import('#web/layout/SignInDialog.tsx')
  return { default: file.SignInDialog }
})

const ConfirmIdentityDialog = lazy(async () => {
  const file = await import('#web/layout/ConfirmIdentityDialog.tsx')
  return { default: file.ConfirmIdentityDialog }
})

/**
 * Asks for the password over the page, when a call found the session ended: the form behind it keeps every letter and
 * is sent afterwards. For password and code, when a call may only go out once its person has confirmed that it is them.
 */
export function SignInAgain() {
  const person = useSession()
  const answer = useRef<((signedIn: boolean) => void) | null>(null)
  const [asked, setAsked] = useState<SignInRequest | null>(null)
  useEffect(
    () =>
      hostSignIn(
        (request) =>
          new Promise((resolve) => {
            answer.current = resolve
            setAsked(request)
          }),
      ),
    [],
  )

  function finish(signedIn: boolean): void {
    setAsked(null)
    answer.current?.(signedIn)
    answer.current = null
  }

  if (asked === null) return null
  const Asked = asked === 'confirm' ? ConfirmIdentityDialog : SignInDialog
  return (
    <Suspense>
      <Asked username={person?.username ?? ''} onFinish={finish} />
    </Suspense>
  )
}
