import { useEffect } from 'react'
import { useSession } from '#web/core/session.ts'

/** Fetches the number of the menu for whoever is signed in; guests load nothing of it. Shows nothing itself. */
export function UnreadWatch() {
  const isSignedIn = useSession() !== null
  useEffect(() => {
    if (!isSignedIn) return
    void import('#web/chat/watch-unread.ts').then(({ watchUnread }) => watchUnread())
  }, [isSignedIn])
  return null
}
