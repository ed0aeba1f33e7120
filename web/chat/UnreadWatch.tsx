import { useEffect } from 'react'
import { useSession } from '#web/core/session.ts'

/** Where browsers know no idle time. */
const LATER_MS = 1000

/** Keeps the number of the menu right for whoever is signed in; guests load nothing of it. Shows nothing itself. */
export function UnreadWatch() {
  const isSignedIn = useSession() !== null
  useEffect(() => {
    if (!isSignedIn) return undefined
    return whenIdle(() => void import('#web/chat/tab.ts').then(({ openTab }) => openTab()))
  }, [isSignedIn])
  return null
}

/** After the page has loaded and when it has nothing else to do. Answers what calls it off. */
function whenIdle(work: () => void): () => void {
  let isOff = false
  const begin = () => {
    const run = () => {
      if (!isOff) work()
    }
    if ('requestIdleCallback' in window) window.requestIdleCallback(run, { timeout: LATER_MS })
    else setTimeout(run, LATER_MS)
  }
  if (document.readyState === 'complete') begin()
  else window.addEventListener('load', begin, { once: true })
  return () => {
    isOff = true
  }
}
