import { useEffect } from 'react'
import { keepPage } from '#web/core/offline/worker-client.ts'
import { useSession } from '#web/core/session.ts'
import { useSettings } from '#web/core/settings.ts'

/** How long a page has been open before it is kept: who only passes through has no use for it. */
const SETTLED_MS = 3000

/** Keeps the page of `path` for reading without a network, for the signed-in and where browsers can. */
export function useKept(path: string, title: string): void {
  const person = useSession()?._id
  const { offlineReading } = useSettings()
  useEffect(() => {
    if (person === undefined || !offlineReading || !('serviceWorker' in navigator)) return undefined
    const timer = setTimeout(() => {
      // The page works without its copy, which may find no room.
      keepPage(path, title).catch(() => undefined)
    }, SETTLED_MS)
    return () => clearTimeout(timer)
  }, [person, offlineReading, path, title])
}
