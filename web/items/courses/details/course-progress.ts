/** Progress in a course: which lessons are done, where their videos stopped, and which lesson was open last. */
import { useMemo } from 'react'
import type { Place } from '#web/items/progress/marks.ts'
import { useMarks } from '#web/items/progress/use-marks.ts'

export interface CourseProgress {
  readonly done: readonly number[]
  readonly last: number | undefined
  readonly placeIn: (lesson: number) => Place | undefined
  readonly mark: (lesson: number, done: boolean) => void
  readonly visit: (lesson: number) => void
  /** @param rests true when the video is paused */
  readonly watch: (lesson: number, place: Place, rests: boolean) => void
}

/** Progress of the person in this browser. Empty on the server and during hydration. */
export function useCourseProgress(lessons: readonly { readonly id: number }[]): CourseProgress {
  const marks = useMarks(lessons.map(({ id }) => id))
  return useMemo(() => {
    const known = lessons.flatMap(({ id }) => {
      const mark = marks.of(id)
      return mark === undefined ? [] : [{ id, ...mark }]
    })
    return {
      done: known.filter(({ done }) => done).map(({ id }) => id),
      last: known.toSorted((one, other) => other.time - one.time)[0]?.id,
      placeIn: (lesson) => marks.of(lesson)?.place,
      mark: (lesson, done) => marks.tell(lesson, { done }, true),
      visit: (lesson) => marks.tell(lesson, { opened: true }, true),
      watch: marks.tell,
    }
  }, [lessons, marks])
}
