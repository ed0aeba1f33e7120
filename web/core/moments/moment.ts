/** A moment is a celebration that one page leaves for the next. A reload forgets it. */
import { type ReactNode, useEffect, useState } from 'react'
import { useLocation } from 'react-router'

let left: { readonly path: string; readonly content: ReactNode } | null = null

export function leaveMoment(path: string, content: ReactNode): void {
  left = { path, content }
}

/** Returns the moment left for this page. It disappears as soon as the path or query changes. */
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
