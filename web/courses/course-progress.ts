/** How far somebody is in a course: done marks, and where they were last. Kept in this browser. */
import { useMemo } from 'react'
import * as z from 'zod/mini'
import { useKept } from '#web/core/kept.ts'

const Progress = z.object({ done: z.array(z.number()), last: z.nullable(z.number()) })
const NOTHING: z.infer<typeof Progress> = { done: [], last: null }

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
  const { value, change } = useKept(`course:${course}`, Progress, NOTHING)
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
