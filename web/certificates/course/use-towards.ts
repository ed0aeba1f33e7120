import { type RefObject, useEffect, useRef, useState } from 'react'
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
  /** Of what shows it. */
  readonly place: RefObject<HTMLElement | null>
}

/**
 * How far one is towards the certificate of a course. The browser asks, so that the page waits for nothing; again
 * whenever `changed` is another one, and when it comes into sight: a self-check above it may have been passed.
 */
export function useTowards(courseId: number, changed: string): Towards {
  const [had, setHad] = useState<TowardsCertificate | null>(null)
  const [failed, setFailed] = useState(false)
  const [times, setTimes] = useState(0)
  const place = useRef<HTMLElement>(null)
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
    const sight = new IntersectionObserver((seen) => {
      // What it is told first is where it stands.
      if (isWatched && seen.some(({ isIntersecting }) => isIntersecting)) load()
      isWatched = true
    })
    let isWatched = false
    if (place.current !== null) sight.observe(place.current)
    return () => {
      isLeft = true
      clearTimeout(timer)
      sight.disconnect()
    }
  }, [courseId, changed, times])
  return {
    towards: had,
    failed: failed && had === null,
    ask: () => setTimes((count) => count + 1),
    place,
  }
}
