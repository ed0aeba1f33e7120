import { useEffect } from 'react'
import { keepPage } from '#web/core/offline/worker-client.ts'
import { useSession } from '#web/core/session.ts'
import { useSettings } from '#web/core/settings.ts'

/** A page is stored only after it has been open this long, so that pages in passing are skipped. */
const SETTLED_MS = 3000

/** Stores the page of `path` for offline reading, if the user is signed in and the browser supports it. */
export function useKept(path: string, title: string): void {
  const person = useSession()?._id
  const { offlineReading } = useSettings()
  useEffect(() => {
    if (person === undefined || !offlineReading || !('serviceWorker' in navigator)) return undefined
    const timer = setTimeout(() => {
      // The page works without a stored copy, and the storage may be full.
      keepPage(path, title).catch(() => undefined)
    }, SETTLED_MS)
    return () => clearTimeout(timer)
  }, [person, offlineReading, path, title])
}
