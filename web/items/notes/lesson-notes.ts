import { useCallback, useEffect, useState } from 'react'
import { notes as calls, type Note } from '#contract/notes.ts'
import { api } from '#web/core/api.ts'
import { currentPerson } from '#web/core/session.ts'
import { useSettings } from '#web/core/settings.ts'
import { keepNotes, readKeptNotes } from '#web/items/notes/kept-notes.ts'

interface Had {
  readonly lesson: number
  /** Who was signed in when the notes were asked for. */
  readonly person: string | undefined
  /** Null if loading failed. */
  readonly notes: readonly Note[] | null
}

interface LessonNotes {
  /** Null until they are loaded. */
  readonly notes: readonly Note[] | null
  readonly failed: boolean
  readonly ask: () => void
  readonly change: (step: (old: readonly Note[]) => readonly Note[]) => void
}

/** Loads the notes in the browser, so that the page need not wait. */
export function useLessonNotes(lesson: number): LessonNotes {
  const [had, setHad] = useState<Had | null>(null)
  const [times, setTimes] = useState(0)
  const { offlineReading } = useSettings()
  useEffect(() => {
    let isLeft = false
    const person = currentPerson()?._id
    const keep = (notes: readonly Note[] | null) => {
      if (!isLeft) setHad({ lesson, person, notes })
    }
    void api(calls.ofLesson, { id: lesson })
      .catch(() => readKeptNotes(lesson).catch(() => null))
      .then(keep)
    return () => {
      isLeft = true
    }
  }, [lesson, times])
  const now = had?.lesson === lesson ? had : null
  const shown = now?.notes ?? null
  const person = now?.person
  useEffect(() => {
    if (offlineReading && shown !== null && person !== undefined)
      keepNotes(lesson, shown, person).catch(() => undefined)
  }, [lesson, shown, person, offlineReading])
  return {
    notes: shown,
    failed: now !== null && now.notes === null,
    ask: () => setTimes((count) => count + 1),
    change: useCallback(
      (step) =>
        setHad((old) => ({
          lesson,
          person: old?.person,
          notes: step(old?.lesson === lesson ? (old.notes ?? []) : []),
        })),
      [lesson],
    ),
  }
}
