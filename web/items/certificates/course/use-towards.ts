import { useEffect, useState } from 'react'
import { certificates, type TowardsCertificate } from '#contract/certificates.ts'
import { api } from '#web/core/api.ts'
import { send } from '#web/items/progress/sending.ts'

/** Delay in ms, so that one request covers several changes. */
const TOGETHER_MS = 150

interface Towards {
  /** Null until it is loaded. */
  readonly towards: TowardsCertificate | null
  readonly failed: boolean
  readonly ask: () => void
}

/** Loads when `changed` changes. It sends the local progress first, so that the answer includes it. */
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
