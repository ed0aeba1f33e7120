import { useEffect, useState } from 'react'
import { useNavigation } from 'react-router'

/** Milliseconds after which a wait shows something; what is faster would only flicker. */
const PATIENCE = 250

/** True while a page below `path` has been on its way for a moment. */
export function useSlowWait(path: string): boolean {
  const { state, location } = useNavigation()
  const waits = state === 'loading' && location.pathname === path
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!waits) return undefined
    const timer = setTimeout(() => setSlow(true), PATIENCE)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [waits])
  return waits && slow
}
