import { to } from '#web/core/paths.ts'

/** What the search box looks through. */
export type SearchKind = 'lesson' | 'course'

/** The list of what was typed; with nothing typed no query is added. */
export function searchAddress(kind: SearchKind, typed: string): string {
  const search = typed.trim()
  return kind === 'course' ? to.courses({ search }) : to.lessons({ search })
}

/** The selector follows the place: within courses one looks for courses. */
export const kindOfPlace = (pathname: string): SearchKind =>
  pathname.startsWith('/course/') ? 'course' : 'lesson'

/** The words that the list at this place was searched by. */
export function wordsOfPlace({ pathname, search }: { pathname: string; search: string }): string {
  const isList = pathname === to.lessons() || pathname === to.courses()
  return isList ? (new URLSearchParams(search).get('search') ?? '') : ''
}
