/** How far somebody is in a course: done marks, and where they were last. Stored in this browser. */
import { useMemo } from 'react'
import { useStored } from '#web/core/storage/stored.ts'
import { isRecord } from '#web/core/shape.ts'

interface Progress {
  readonly done: readonly number[]
  readonly last: number | null
}
const NOTHING: Progress = { done: [], last: null }
const isProgress = (stored: unknown): stored is Progress =>
  isRecord(stored) &&
  Array.isArray(stored['done']) &&
  stored['done'].every((lesson) => typeof lesson === 'number') &&
  (stored['last'] === null || typeof stored['last'] === 'number')

export interface CourseProgress {
  /** Ids of lessons. */
  readonly done: readonly number[]
  /** The lesson that was open last. */
  readonly last: number | null
  readonly mark: (lesson: number, done: boolean) => void
  readonly visit: (lesson: number) => void
}

/** Of the signed-in person. Nothing on the server and in the first paint: only the browser knows. */
export function useCourseProgress(course: number): CourseProgress {
  const { value, change } = useStored(`course:${course}`, isProgress, NOTHING)
  return useMemo(
    () => ({
      ...value,
      mark: (lesson, done) =>
        change((old) => {
          const others = old.done.filter((one) => one !== lesson)
          return { ...old, done: done ? [...others, lesson] : others }
        }),
      visit: (lesson) => change((old) => ({ ...old, last: lesson })),
    }),
    [value, change],
  )
}
