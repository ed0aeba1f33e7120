import { useEffect } from 'react'
import { useSession } from '#web/core/session.ts'

/** Opens the chat connection of this tab, which keeps the counts in the header up to date. Renders nothing. */
export function UnreadWatch() {
  const isSignedIn = useSession() !== null
  useEffect(() => {
    if (isSignedIn) void import('#web/community/chat/link/tab.ts').then(({ openTab }) => openTab())
  }, [isSignedIn])
  return null
}
