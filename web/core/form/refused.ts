/** The server's answer to a form that was posted without JavaScript, or before hydration. */
import type { RefusedForm } from '#contract/render.ts'
import { createContext, useContext } from 'react'
import { useLocation } from 'react-router'

/** The refused form of this page load, provided by both entries. Null on all other pages. */
export const RefusedContext = createContext<RefusedForm | null>(null)

/** Null after any navigation away from the page that came with it. */
export function useRefused(): RefusedForm | null {
  const refused = useContext(RefusedContext)
  // react-router gives this key to the first location of a visit.
  return useLocation().key === 'default' ? refused : null
}
