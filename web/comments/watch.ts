import { useEffect, useRef } from 'react'

/** Milliseconds. */
const EVERY = 8000
const AT_MOST = 120_000

const isWatched = () => document.visibilityState === 'visible' && navigator.onLine

/** Asks again and again while the page is seen and the machine is online; after each failure twice as late. */
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
