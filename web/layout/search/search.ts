import type { Suggestion } from '#contract/search.ts'
import { to } from '#web/core/paths.ts'

/** What the search box looks through. */
export type SearchKind = 'lesson' | 'course'

/** A line below a search field: an item, another spelling, or the way to all that there is. */
export type Line = { readonly id: string; readonly href: string } & (
  | { readonly kind: 'item'; readonly item: Suggestion }
  | { readonly kind: 'spelling'; readonly words: string }
  | { readonly kind: 'all' | 'nothing'; readonly words: string }
)

/** Spellings that are offered. */
const MOST_SPELLINGS = 2

/** The lines for what was found: other spellings before what they find, the search for everything last. */
export function linesOf(typed: string, items: readonly Suggestion[]): readonly Line[] {
  const spellings = new Set(items.map(({ found }) => found?.spelling ?? ''))
  spellings.delete('')
  const kind = items.length === 0 ? 'nothing' : 'all'
  return [
    ...[...spellings].slice(0, MOST_SPELLINGS).map((words): Line => ({
      id: `as-${words}`,
      kind: 'spelling',
      words,
      href: to.search({ q: words }),
    })),
    ...items.map((item): Line => ({
      id: `${item.kind}-${item.id}`,
      kind: 'item',
      item,
      href: item.kind === 'course' ? to.course(item.id) : to.lesson(item.id),
    })),
    { id: 'all', kind, words: typed, href: to.search({ q: typed }) },
  ]
}

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
