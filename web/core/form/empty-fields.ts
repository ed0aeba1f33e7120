import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * Which of the fields that must hold something are empty, as the page has them: for a form whose rules are not there.
 * @param place of the form
 * @param required names of the fields
 * @param isAsked false once the rules know it better
 * @returns their names; all of them until the page lives
 */
export function useEmptyFields(
  place: RefObject<HTMLFormElement | null>,
  required: readonly string[],
  isAsked: boolean,
): readonly string[] {
  const all = required.join(' ')
  const [empty, setEmpty] = useState(all)
  useLayoutEffect(() => {
    const form = place.current
    if (form === null || !isAsked) return undefined
    const look = () => {
      const names = all.split(' ').filter((name) => isEmptyIn(form, name))
      setEmpty(names.join(' '))
    }
    look()
    form.addEventListener('input', look)
    form.addEventListener('change', look)
    return () => {
      form.removeEventListener('input', look)
      form.removeEventListener('change', look)
    }
  }, [place, all, isAsked])
  return empty.split(' ').filter((name) => required.includes(name))
}

function isEmptyIn(form: HTMLFormElement, name: string): boolean {
  const field = form.elements.namedItem(name)
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return true
  // What a browser has filled in by itself it may tell nobody before the page is touched.
  return field.value.trim() === '' && !field.matches(':autofill')
}
