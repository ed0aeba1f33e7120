import { useCallback, useEffect, useRef } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type { Draft } from '#web/core/drafts.ts'

interface Origin {
  readonly draftId: string
  /** Of the item when the form was opened; 0 for a new one. */
  readonly version: number
}

/** What every form of an item has and no draft keeps. */
interface Unkept {
  image?: File | undefined
  reason: string
}

/** What survives a reload: everything but the picture. A drawn one is drawn again from its seed. */
export type DraftOf<Values extends Unkept> = Omit<Values, keyof Unkept> &
  Origin & { readonly paper: string | null }

/** Keeps what is typed, from the first change on. Returns what is told the seed of a drawn picture. */
export function useDraftKeeping<Values extends FieldValues & Unkept>(
  { keep }: Draft<DraftOf<Values>>,
  form: UseFormReturn<Values>,
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
