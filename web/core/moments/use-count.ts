import { useEffect, useRef, useState } from 'react'

const LASTS_MS = 600

const hasLessMotion = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches

/** Animates a number to `to` whenever that changes, unless the user prefers reduced motion. */
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
