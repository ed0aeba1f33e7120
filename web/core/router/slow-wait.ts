import { useEffect, useState } from 'react'
import { useNavigation } from 'react-router'

/** A loading state appears after this time in ms, because a shorter one would only flicker. */
const DELAY_MS = 250

/** True while the page at `path` has been loading for longer than that. */
export function useSlowWait(path: string): boolean {
  const { state, location } = useNavigation()
  const waits = state === 'loading' && location.pathname === path
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!waits) return undefined
    const timer = setTimeout(() => setSlow(true), DELAY_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [waits])
  return waits && slow
}
