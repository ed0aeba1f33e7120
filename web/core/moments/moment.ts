/**
 * A moment: what one page leaves for the next to celebrate, once. It lives in the tab's memory, so that a page that is
 * loaded again, or came by its address, shows none.
 */
import { type ReactNode, useEffect, useState } from 'react'
import { useLocation } from 'react-router'

let left: { readonly path: string; readonly content: ReactNode } | null = null

/** Leaves a moment for the page at `path`. It is made of what the present page has loaded, so it costs the next nothing. */
export function leaveMoment(path: string, content: ReactNode): void {
  left = { path, content }
}

/** The moment that was left for this page, as long as it stands: who turns its pages and comes back has seen it. */
export function useMoment(): ReactNode {
  const { pathname, search } = useLocation()
  const here = pathname + search
  const [found, setFound] = useState(() => left)
  useEffect(() => {
    left = null
  }, [])
  if (found === null) return null
  if (found.path === here) return found.content
  setFound(null)
  return null
}
