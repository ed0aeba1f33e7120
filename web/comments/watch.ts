import { useEffect, useRef } from 'react'

/** Interval in ms. */
const EVERY = 8000
const AT_MOST = 120_000

const isWatched = () => document.visibilityState === 'visible' && navigator.onLine

/** Calls `ask` at intervals while the page is visible and online. Each failure doubles the interval. */
export function useWatch(ask: () => Promise<void>): void {
  const latest = useRef(ask)
  useEffect(() => {
    latest.current = ask
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let pause = EVERY
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
        pause = EVERY
      } catch {
        pause = Math.min(AT_MOST, pause * 2)
      } finally {
        isAsking = false
        plan(pause)
      }
    }
    const onReturn = () => plan(0)

    plan(EVERY)
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
