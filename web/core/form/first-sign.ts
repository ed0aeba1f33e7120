/** The rules of a form that come when somebody comes to it. */
import { type ComponentType, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { RulesProps } from '#web/core/form/rules.ts'
import type { LazyComponent } from '#web/core/router/page-view.ts'

/** What comes before anything is filled in: by hand, by key, or by the browser itself. */
const SIGNS = ['pointerover', 'touchstart', 'focusin', 'input', 'change', 'dragenter']
/** How long a form that was sent waits for its rules. */
const PATIENCE_MS = 5000

interface RulesAtNeed<Values extends FieldValues> {
  /** Null until they are there. */
  readonly Rules: ComponentType<RulesProps<Values>> | null
  /** Fetches them: of a form that is come to in another way than by its fields. */
  readonly wake: () => void
  /** Fetches them; rejects when they don't come in time. */
  readonly hurry: () => Promise<void>
}

/** Loads the rules at the first sign that somebody comes to the form. @param place of the form */
export function useFirstSign<Values extends FieldValues>(
  place: RefObject<HTMLFormElement | null>,
  { load }: LazyComponent<RulesProps<Values>>,
): RulesAtNeed<Values> {
  const [Rules, setRules] = useState<ComponentType<RulesProps<Values>> | null>(null)
  const isMissing = Rules === null
  const wake = useCallback(() => {
    // What can't be had now is asked for by the next sign.
    load().then(
      (loaded) => setRules(() => loaded),
      () => {},
    )
  }, [load])
  useEffect(() => {
    const form = place.current
    if (!isMissing || form === null) return undefined
    for (const sign of SIGNS) form.addEventListener(sign, wake, { passive: true })
    // Somebody was faster than the script.
    if (form.contains(document.activeElement)) wake()
    return () => {
      for (const sign of SIGNS) form.removeEventListener(sign, wake)
    }
  }, [place, wake, isMissing])
  async function hurry(): Promise<void> {
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('the rules of the form are late')), PATIENCE_MS)
    })
    const loaded = await Promise.race([load(), late])
    setRules(() => loaded)
  }
  return { Rules, wake, hurry }
}

/**
 * Leaves the fields again that were left before the rules heard of it, so that they are judged as those that are left
 * later. @param isReady the rules know the fields
 */
export function useLeftAgain(place: RefObject<HTMLFormElement | null>, isReady: boolean): void {
  const left = useRef(new Set<EventTarget>())
  useEffect(() => {
    const form = place.current
    if (form === null) return undefined
    if (isReady) {
      for (const field of left.current)
        field.dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
      left.current.clear()
      return undefined
    }
    const note = ({ target }: FocusEvent) => {
      if (target !== null) left.current.add(target)
    }
    form.addEventListener('focusout', note)
    return () => form.removeEventListener('focusout', note)
  }, [place, isReady])
}
