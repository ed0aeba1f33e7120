import { useCallback, useEffect, useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Draft } from '#web/core/drafts.ts'
import type { LessonDraftValues, LessonValues } from '#web/lessons/lesson-values.ts'

interface Origin {
  readonly draftId: string
  /** Of the lesson when the form was opened; 0 for a new one. */
  readonly version: number
}

/** Keeps what is typed, from the first change on. Returns what is told the seed of a pattern paper. */
export function useDraftKeeping(
  { keep }: Draft<LessonDraftValues>,
  form: UseFormReturn<LessonValues>,
  { draftId, version }: Origin,
): (paper: string | null) => void {
  const paper = useRef<string | null>(null)
  useEffect(() => {
    return form.subscribe({
      formState: { values: true, isDirty: true },
      callback: ({ values, isDirty }) => {
        if (isDirty !== true) return
        const { image: _image, reason: _reason, ...kept } = values
        keep({ ...kept, draftId, version, paper: paper.current })
      },
    })
  }, [form, keep, draftId, version])
  return useCallback((seed) => {
    paper.current = seed
  }, [])
}
