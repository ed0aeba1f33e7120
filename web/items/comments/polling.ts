import { useEffect, useRef } from 'react'

const INTERVAL_MS = 8000
const MAX_INTERVAL_MS = 120_000

const isVisibleAndOnline = () => document.visibilityState === 'visible' && navigator.onLine

/** Calls `poll` at intervals while the page is visible and online. Each failure doubles the interval. */
export function usePolling(poll: () => Promise<void>): void {
  const latest = useRef(poll)
  useEffect(() => {
    latest.current = poll
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let intervalMs = INTERVAL_MS
    let isPolling = false
    let isUnmounted = false

    const plan = (milliseconds: number) => {
      clearTimeout(timer)
      if (!isUnmounted && isVisibleAndOnline()) timer = setTimeout(() => void run(), milliseconds)
    }
    const run = async () => {
      if (isPolling) return
      isPolling = true
      try {
        await latest.current()
        intervalMs = INTERVAL_MS
      } catch {
        intervalMs = Math.min(MAX_INTERVAL_MS, intervalMs * 2)
      } finally {
        isPolling = false
        plan(intervalMs)
      }
    }
    const onReturn = () => plan(0)

    plan(INTERVAL_MS)
    document.addEventListener('visibilitychange', onReturn)
    window.addEventListener('online', onReturn)
    return () => {
      isUnmounted = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onReturn)
      window.removeEventListener('online', onReturn)
    }
  }, [])
}
