import { useCallback } from 'react'
import { useSettings } from '#web/core/settings.ts'

/** What has the browser keep what the person has just unlocked, before they open it. */
export function useKeptAhead(): () => void {
  const { offlineReading } = useSettings()
  return useCallback(() => {
    if (!offlineReading || !('serviceWorker' in navigator)) return
    import('#web/core/offline/keep-ahead.ts')
      .then(({ keepAhead }) => keepAhead('now'))
      .catch(() => undefined)
  }, [offlineReading])
}
