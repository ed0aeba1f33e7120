import { useEffect, useRef, useState } from 'react'

const LASTS_MS = 600

const hasLessMotion = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * A number that counts to the one it comes to, each time that one changes; with less motion it is there at once.
 * @param from what it starts with
 */
export function useCount(to: number, from: number = to): number {
  const [shown, setShown] = useState(() => (from === to || hasLessMotion() ? to : from))
  const last = useRef(shown)
  useEffect(() => {
    const first = last.current
    if (first === to) return undefined
    let start: number | null = null
    let frame = requestAnimationFrame(step)
    function step(now: number) {
      start ??= now
      const share = hasLessMotion() ? 1 : Math.min(1, (now - start) / LASTS_MS)
      last.current = Math.round(first + (to - first) * share)
      setShown(last.current)
      if (share < 1) frame = requestAnimationFrame(step)
    }
    return () => cancelAnimationFrame(frame)
  }, [to])
  return shown
}
