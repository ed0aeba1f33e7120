import { useEffect, useState } from 'react'
import { certificates, type TowardsCertificate } from '#contract/certificates.ts'
import { api } from '#web/core/api.ts'
import { send } from '#web/progress/sending.ts'

/** Several lessons that become known to be done together are one question. */
const TOGETHER_MS = 150

interface Towards {
  /** Null before it is there. */
  readonly towards: TowardsCertificate | null
  readonly failed: boolean
  /** Asks again, at once. */
  readonly ask: () => void
}

/**
 * How far one is towards the certificate of a course. The browser asks, so that the page waits for nothing; again
 * whenever `changed` is another one, after the server was told what this browser knows: a lesson that was ticked off
 * is among it.
 */
export function useTowards(courseId: number, changed: string): Towards {
  const [had, setHad] = useState<TowardsCertificate | null>(null)
  const [failed, setFailed] = useState(false)
  const [times, setTimes] = useState(0)
  useEffect(() => {
    let isLeft = false
    const load = async () => {
      await send(true)
      const found = await api(certificates.towards, { courseId }).catch(() => null)
      if (isLeft) return
      setFailed(found === null)
      if (found !== null) setHad(found)
    }
    const timer = setTimeout(() => void load(), TOGETHER_MS)
    return () => {
      isLeft = true
      clearTimeout(timer)
    }
  }, [courseId, changed, times])
  return { towards: had, failed: failed && had === null, ask: () => setTimes((count) => count + 1) }
}
