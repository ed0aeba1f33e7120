import { useCallback } from 'react'
import { keepAhead } from '#web/core/offline/keep-ahead.ts'
import { useSettings } from '#web/core/settings.ts'

/** Returns a function that stores what the user has just unlocked for offline reading. */
export function useKeptAhead(): () => void {
  const { offlineReading } = useSettings()
  return useCallback(() => {
    if (!offlineReading || !('serviceWorker' in navigator)) return
    keepAhead('now').catch(() => undefined)
  }, [offlineReading])
}
