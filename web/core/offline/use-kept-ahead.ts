import { useCallback } from 'react'
import { keepAhead } from '#web/core/offline/keep-ahead.ts'
import { useSettings } from '#web/core/settings.ts'

/** Returns a function that keeps what the person has just unlocked for reading without a network. */
export function useKeptAhead(): () => void {
  const { offlineReading } = useSettings()
  return useCallback(() => {
    if (!offlineReading || !('serviceWorker' in navigator)) return
    keepAhead('now').catch(() => undefined)
  }, [offlineReading])
}
