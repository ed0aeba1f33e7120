import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** After a navigation, focuses the page's content for screen readers, or the element with `data-arrival`. */
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
