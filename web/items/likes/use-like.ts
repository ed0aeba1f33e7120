/** A like with an optimistic count, which the server's number replaces. */
import { useRef, useState } from 'react'
import { courses } from '#contract/courses.ts'
import { lessons } from '#contract/lessons.ts'
import { api } from '#web/core/api.ts'
import { ApiError } from '#web/core/api-error.ts'
import { useText } from '#web/core/i18n.tsx'
import { currentPerson } from '#web/core/session.ts'
import { type LikedKind, noteLike } from '#web/items/likes/likes-given.ts'

/** Duration of the animation in ms. */
const BURST = 700

interface Like {
  /** The animation is running. */
  readonly bursting: boolean
  readonly failure: string | null
  readonly like: (heart: Element) => Promise<void>
}

/** `likes` is the number before. */
export function useLike(kind: LikedKind, id: number, likes: number): Like {
  const { t } = useText()
  const [bursting, setBursting] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  // A ref, because state updates too late for two quick presses.
  const asked = useRef(false)

  const like = async (heart: Element) => {
    const person = currentPerson()?._id
    if (asked.current || person === undefined) return
    asked.current = true
    setFailure(null)
    setBursting(true)
    noteLike(person, kind, id, likes + 1)
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches
    if (!isStill) void celebrate(heart)
    try {
      const [now] = await Promise.all([send(kind, id), isStill ? undefined : wait(BURST)])
      if (now !== null) noteLike(person, kind, id, now)
    } catch (error) {
      noteLike(person, kind, id, undefined)
      setFailure(error instanceof ApiError ? error.message : t('somethingWrong'))
      asked.current = false
    } finally {
      setBursting(false)
    }
  }
  return { bursting, failure, like }
}

/** Returns the new count, or null if it was already liked, for example in another tab. */
async function send(kind: LikedKind, id: number): Promise<number | null> {
  try {
    const { likes } = await api(kind === 'lesson' ? lessons.like : courses.like, { id })
    return likes
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return null
    throw error
  }
}

async function celebrate(heart: Element): Promise<void> {
  try {
    const { throwParticles } = await import('#web/items/likes/particles.ts')
    await throwParticles(heart)
  } catch {
    // The animation is optional.
  }
}

const wait = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds)
  })
