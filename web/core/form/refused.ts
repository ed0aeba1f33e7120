/** What the server says of a form that was posted without script, or before it came. */
import type { RefusedForm } from '#contract/render.ts'
import { createContext, useContext } from 'react'
import { useLocation } from 'react-router'

/** The refused form of this page load, put there by the entries; null on all other pages. */
export const RefusedContext = createContext<RefusedForm | null>(null)

/** Null on every page but the one that came with it. */
export function useRefused(): RefusedForm | null {
  const refused = useContext(RefusedContext)
  // So the router calls the place where a visit begins.
  return useLocation().key === 'default' ? refused : null
}
