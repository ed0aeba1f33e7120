import { useLocation } from 'react-router'
import { inLanguageOf, to } from '#web/core/paths.ts'

/**
 * Where login and registration return to. It is the front page on those two, and on paths that start with two slashes.
 */
export function useHere(): string {
  const { pathname, search } = useLocation()
  const here = /^\/(?:login|register|\/)/.test(pathname) ? to.home() : pathname
  return inLanguageOf(new URL(search, 'http://here.invalid'), here)
}
