import { type RefObject, useEffect, useRef } from 'react'
import { CONTROLS } from '#web/core/form/focus-field.ts'

/** After a refused submit the focus goes to the first wrong field, also where that is no plain input. */
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
