import { useEffect, useRef } from 'react'

const INTERVAL_MS = 8000
const MAX_INTERVAL_MS = 120_000

const isWatched = () => document.visibilityState === 'visible' && navigator.onLine

/** Calls `ask` at intervals while the page is visible and online. Each failure doubles the interval. */
export function usePolling(ask: () => Promise<void>): void {
  const latest = useRef(ask)
  useEffect(() => {
    latest.current = ask
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let pause = INTERVAL_MS
    let isAsking = false
    let isOver = false

    const plan = (milliseconds: number) => {
      clearTimeout(timer)
      if (!isOver && isWatched()) timer = setTimeout(() => void again(), milliseconds)
    }
    const again = async () => {
      if (isAsking) return
      isAsking = true
      try {
        await latest.current()
        pause = INTERVAL_MS
      } catch {
        pause = Math.min(MAX_INTERVAL_MS, pause * 2)
      } finally {
        isAsking = false
        plan(pause)
      }
    }
    const onReturn = () => plan(0)

    plan(INTERVAL_MS)
    document.addEventListener('visibilitychange', onReturn)
    window.addEventListener('online', onReturn)
    return () => {
      isOver = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onReturn)
      window.removeEventListener('online', onReturn)
    }
  }, [])
}
