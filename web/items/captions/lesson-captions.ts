import { useEffect, useState } from 'react'
import { type Captions, captions as calls } from '#contract/captions.ts'
import { api } from '#web/core/api.ts'
import { ApiError } from '#web/core/api-error.ts'
import { keepPart, readKeptPart } from '#web/core/offline/worker-client.ts'
import { currentPerson } from '#web/core/session.ts'
import { useSettings } from '#web/core/settings.ts'
import { isRecord } from '#web/core/shape.ts'

interface Had {
  readonly lesson: number
  /** Null if loading failed. */
  readonly captions: readonly Captions[] | null
}

interface LessonCaptions {
  /** Null until they are loaded. */
  readonly captions: readonly Captions[] | null
  readonly failed: boolean
  readonly ask: () => void
}

/**
 * Loads the captions in the browser, so that the page need not wait. Offline, the stored copy is shown; it is dropped
 * when the server refuses the captions.
 */
export function useLessonCaptions(lesson: number): LessonCaptions {
  const [had, setHad] = useState<Had | null>(null)
  const [times, setTimes] = useState(0)
  const { offlineReading } = useSettings()
  useEffect(() => {
    let isLeft = false
    const load = async () => {
      const person = currentPerson()?._id
      const keep = (value: readonly Captions[]) => {
        if (offlineReading && person !== undefined && 'serviceWorker' in navigator)
          keepPart({ part: 'captions', lesson, value, person }).catch(() => undefined)
      }
      try {
        const captions = await api(calls.ofLesson, { lessonId: lesson })
        keep(captions)
        return captions
      } catch (error) {
        const status = error instanceof ApiError ? error.status : null
        if (status === 403 || status === 404) keep([])
        return status === 0 ? readKeptCaptions(lesson).catch(() => null) : null
      }
    }
    void load().then((captions) => {
      if (!isLeft) setHad({ lesson, captions })
    })
    return () => {
      isLeft = true
    }
  }, [lesson, times, offlineReading])
  const now = had?.lesson === lesson ? had : null
  return {
    captions: now?.captions ?? null,
    failed: now !== null && now.captions === null,
    ask: () => setTimes((count) => count + 1),
  }
}

async function readKeptCaptions(lesson: number): Promise<readonly Captions[] | null> {
  if (!('serviceWorker' in navigator)) return null
  const kept = await readKeptPart('captions', lesson)
  return isCaptions(kept) ? kept : null
}

const isCaptions = (kept: unknown): kept is readonly Captions[] =>
  Array.isArray(kept) && kept.every((one) => isRecord(one) && Array.isArray(one['cues']))
