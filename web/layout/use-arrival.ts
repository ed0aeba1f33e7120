import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * After a step to another page: the focus goes to its content, so that readers start there, or to the step that the
 * page names by `data-arrival`.
 */
export function useArrival(): void {
  const { pathname, hash } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (hash !== '') return
    const find = (selector: string) => document.querySelector<HTMLElement>(selector)
    ;(find('#main [data-arrival]') ?? find('#main'))?.focus({ preventScroll: true })
  }, [pathname, hash])
}
