import { useEffect } from 'react'
import { useSession } from '#web/core/session.ts'

/** Opens the chat of a signed-in person's tab, which keeps the numbers in the header right. Shows nothing itself. */
export function UnreadWatch() {
  const isSignedIn = useSession() !== null
  useEffect(() => {
    if (isSignedIn) void import('#web/chat/link/tab.ts').then(({ openTab }) => openTab())
  }, [isSignedIn])
  return null
}
