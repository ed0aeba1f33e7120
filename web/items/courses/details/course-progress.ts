/** Progress in a course: which lessons are done, where their videos stopped, and which lesson was opened last. */
import { useMemo } from 'react'
import type { Place } from '#web/items/progress/marks.ts'
import { useMarks } from '#web/items/progress/use-marks.ts'

export interface CourseProgress {
  readonly done: readonly number[]
  readonly lastOpened: number | undefined
  readonly positionIn: (lesson: number) => Place | undefined
  readonly mark: (lesson: number, done: boolean) => void
  readonly visit: (lesson: number) => void
  /** @param isPaused true when the video is paused */
  readonly watch: (lesson: number, place: Place, isPaused: boolean) => void
}

/** The viewer's progress, as this browser and the server know it. Empty on the server and during hydration. */
export function useCourseProgress(lessons: readonly { readonly id: number }[]): CourseProgress {
  const marks = useMarks(lessons.map(({ id }) => id))
  return useMemo(() => {
    const known = lessons.flatMap(({ id }) => {
      const mark = marks.of(id)
      return mark === undefined ? [] : [{ id, ...mark }]
    })
    return {
      done: known.filter(({ done }) => done).map(({ id }) => id),
      lastOpened: known.toSorted((one, other) => other.time - one.time)[0]?.id,
      positionIn: (lesson) => marks.of(lesson)?.place,
      mark: (lesson, done) => marks.record(lesson, { done }, true),
      visit: (lesson) => marks.record(lesson, { opened: true }, true),
      watch: marks.record,
    }
  }, [lessons, marks])
}
