import { useLocation } from 'react-router'
import { inLanguageOf, to } from '#web/core/paths.ts'

/** Where login and registration lead back to: where one is, in the language of its address. A gate leads home. */
export function useHere(): string {
  const { pathname, search } = useLocation()
  const here = /^\/(?:login|register|\/)/.test(pathname) ? to.home() : pathname
  return inLanguageOf(new URL(search, 'http://here.invalid'), here)
}
