import { type RefObject, useEffect, useRef } from 'react'
import { CONTROLS } from '#web/core/form/focus-field.ts'

/** Focuses the first invalid field after a refused submit, even if it is not a plain input. */
export function useFocusOnRefusal(busy: boolean): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  const was = useRef(busy)
  useEffect(() => {
    const ended = was.current && !busy
    was.current = busy
    const wrong = ended ? form.current?.querySelector('[data-field]:has(> [data-error])') : null
    if (wrong?.contains(document.activeElement) === false) {
      wrong.querySelector<HTMLElement>(CONTROLS)?.focus()
    }
  }, [busy])
  return form
}
