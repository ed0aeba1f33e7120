/** How far somebody is in a course: done marks, the place in each video, where they were last. Kept in this browser. */
import { useMemo, useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { useSession } from '#web/core/session.ts'

const Place = z.object({ at: z.number(), of: z.number() })
/** Seconds into a video, and its length. */
export type Place = z.infer<typeof Place>

const Kept = z.object({
  done: z.array(z.number()),
  last: z.nullable(z.number()),
  /** By lesson id. */
  places: z.record(z.string(), Place),
})
type Kept = z.infer<typeof Kept>

const NOTHING: Kept = { done: [], last: null, places: {} }

export interface CourseProgress {
  readonly done: readonly number[]
  /** The lesson that was open last. */
  readonly last: number | null
  readonly placeIn: (lesson: number) => Place | undefined
  readonly mark: (lesson: number, done: boolean) => void
  readonly visit: (lesson: number) => void
  readonly keepPlace: (lesson: number, place: Place) => void
}

/** Of the signed-in person. Nothing on the server and in the first paint: only the browser knows. */
export function useCourseProgress(course: number): CourseProgress {
  const person = useSession()?._id ?? 'guest'
  // Cleared at logout with everything else under that person's name.
  const key = `kb:${person}:course:${course}`
  const text = useSyncExternalStore(
    subscribe,
    () => readText(key),
    () => null,
  )
  return useMemo(() => {
    const kept = parse(text)
    return {
      done: kept.done,
      last: kept.last,
      placeIn: (lesson) => kept.places[lesson],
      mark: (lesson, done) =>
        change(key, (old) => {
          const others = old.done.filter((one) => one !== lesson)
          return { ...old, done: done ? [...others, lesson] : others }
        }),
      visit: (lesson) => change(key, (old) => ({ ...old, last: lesson })),
      keepPlace: (lesson, place) =>
        change(key, (old) => ({ ...old, places: { ...old.places, [lesson]: place } })),
    }
  }, [key, text])
}

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Another tab of the same person.
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

function readText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** What somebody else wrote there counts as nothing. */
function parse(text: string | null): Kept {
  try {
    const kept = Kept.safeParse(JSON.parse(text ?? 'null'))
    return kept.success ? kept.data : NOTHING
  } catch {
    return NOTHING
  }
}

function change(key: string, step: (old: Kept) => Kept): void {
  const old = readText(key)
  const text = JSON.stringify(step(parse(old)))
  if (text === old) return
  try {
    localStorage.setItem(key, text)
  } catch {
    // Full or forbidden storage: the course is read without marks.
  }
  for (const listener of listeners) listener()
}
