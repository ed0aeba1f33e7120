import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** After a step to another page: the focus goes to its content, so that readers start there. */
export function useArrival(): void {
  const { pathname, hash } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (hash === '') document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
  }, [pathname, hash])
}
