import { useEffect } from 'react'
import { useSession } from '#web/core/session.ts'

/** Keeps the number of the menu right for whoever is signed in; guests load nothing of it. Shows nothing itself. */
export function UnreadWatch() {
  const isSignedIn = useSession() !== null
  useEffect(() => {
    if (!isSignedIn) return
    void import('#web/chat/link/open-later.ts').then(({ openLater }) => openLater())
  }, [isSignedIn])
  return null
}
