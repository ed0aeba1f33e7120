import type { ItemSuggestion, Suggestion } from '#contract/search.ts'
import { to } from '#web/core/paths.ts'

export type SearchKind = 'lesson' | 'course'

export type Line = { readonly id: string; readonly href: string } & (
  | { readonly kind: 'item'; readonly item: ItemSuggestion }
  | { readonly kind: 'tag'; readonly tag: string; readonly items: number }
  | { readonly kind: 'person'; readonly name: string; readonly picture: string }
  | { readonly kind: 'spelling'; readonly words: string }
  | { readonly kind: 'all' | 'nothing'; readonly words: string }
)

const MOST_SPELLINGS = 2

/** Spelling corrections come before their results, and the search for everything comes last. */
export function linesOf(typed: string, found: readonly Suggestion[]): readonly Line[] {
  const spellings = new Set(found.map((one) => spellingOf(one) ?? ''))
  spellings.delete('')
  const kind = found.length === 0 ? 'nothing' : 'all'
  return [
    ...[...spellings].slice(0, MOST_SPELLINGS).map((words): Line => ({
      id: `as-${words}`,
      kind: 'spelling',
      words,
      href: to.search({ q: words }),
    })),
    ...found.map(lineOf),
    { id: 'all', kind, words: typed, href: to.search({ q: typed }) },
  ]
}

const spellingOf = (one: Suggestion) => ('found' in one ? one.found?.spelling : undefined)

function lineOf(one: Suggestion): Line {
  switch (one.kind) {
    case 'tag':
      return { ...one, id: `tag-${one.tag}`, href: to.tag(one.tag) }
    case 'person':
      return {
        id: `person-${one.id}`,
        kind: 'person',
        name: one.userName,
        picture: one.imageUrl,
        href: to.profile(one.id),
      }
    default:
      return {
        id: `${one.kind}-${one.id}`,
        kind: 'item',
        item: one,
        href: one.kind === 'course' ? to.course(one.id) : to.lesson(one.id),
      }
  }
}

/** An empty text adds no query. */
export function searchAddress(kind: SearchKind, typed: string): string {
  const search = typed.trim()
  return kind === 'course' ? to.courses({ search }) : to.lessons({ search })
}

/** Searches courses on course pages, and lessons elsewhere. */
export const kindOfPlace = (pathname: string): SearchKind =>
  pathname.startsWith('/course/') ? 'course' : 'lesson'

/** The search term of the list at this location. */
export function wordsOfPlace({ pathname, search }: { pathname: string; search: string }): string {
  const isList = pathname === to.lessons() || pathname === to.courses()
  return isList ? (new URLSearchParams(search).get('search') ?? '') : ''
}
