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

/** Opens over the page, so that the form behind it keeps its text and is sent afterwards. */
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
