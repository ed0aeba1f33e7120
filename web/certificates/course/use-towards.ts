import { useEffect, useState } from 'react'
import { certificates } from '#contract/certificates.ts'
import type { TowardsCertificate } from '#contract/certificates.schemas.ts'
import { api } from '#web/core/api.ts'

/** After a lesson was ticked off it takes the browser a moment to tell the server. */
const REST_MS = 900

interface Towards {
  /** Null before it is there. */
  readonly towards: TowardsCertificate | null
  readonly failed: boolean
  /** Asks again, at once. */
  readonly ask: () => void
}

/**
 * How far one is towards the certificate of a course. The browser asks, so that the page waits for nothing; again
 * whenever `changed` is another one, and when the window is come back to.
 */
export function useTowards(courseId: number, changed: string): Towards {
  const [had, setHad] = useState<TowardsCertificate | null>(null)
  const [failed, setFailed] = useState(false)
  const [times, setTimes] = useState(0)
  useEffect(() => {
    let isLeft = false
    const load = () => {
      api(certificates.towards, { courseId }).then(
        (found) => {
          if (isLeft) return
          setHad(found)
          setFailed(false)
        },
        () => {
          if (!isLeft) setFailed(true)
        },
      )
    }
    // What is asked for by hand has not to wait.
    const timer = setTimeout(load, times === 0 ? REST_MS : 0)
    window.addEventListener('focus', load)
    return () => {
      isLeft = true
      clearTimeout(timer)
      window.removeEventListener('focus', load)
    }
  }, [courseId, changed, times])
  return { towards: had, failed: failed && had === null, ask: () => setTimes((count) => count + 1) }
}
