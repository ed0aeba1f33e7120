/** What a title search shows besides its list: matches found elsewhere, or suggestions when nothing matches. */
import { courses, type CourseCard } from '#contract/courses.ts'
import { home, type TagShelf } from '#contract/home.ts'
import type { ItemKind } from '#contract/points.ts'
import { search, type SearchAnswer } from '#contract/search.ts'
import type { Api } from '#web/core/api.ts'
import { choicesOf, type Chosen, type Listed } from '#web/items/shared/list/list-words.ts'

/** Number of cards in a row. */
const ROW = 5

/** Matches of the full search that a title search doesn't show. */
export type OtherMatches = Pick<SearchAnswer, 'lessons' | 'courses' | 'tags' | 'spellings'>

/** Suggestions for a search without results: other spellings, tags of popular lessons, and popular courses. */
export interface Suggestions {
  readonly spellings: readonly string[]
  readonly shelves: readonly TagShelf[]
  readonly courses: readonly CourseCard[]
}

export interface SearchExtras {
  /** Null without a search, on a filtered list, after the first page, and without matches. */
  readonly otherMatches: OtherMatches | null
  /** Null without a search, and when anything was found. */
  readonly suggestions: Suggestions | null
}

/** @param fetching the list itself, which loads at the same time */
export async function loadSearchExtras(
  api: Api,
  kind: ItemKind,
  query: Chosen,
  fetching: Promise<Pick<Listed, 'total'>>,
): Promise<SearchExtras> {
  const q = query.search.trim()
  if (q === '') return { otherMatches: null, suggestions: null }
  const isNarrowed = choicesOf({ ...query, sort: 'none' }) > 0 || query.owner !== undefined
  const isFirst = (query.page ?? 1) === 1
  const find = () => orElse(api(search.find, { q, besides: kind }), null)
  const [found, { total }] = await Promise.all([isFirst && !isNarrowed ? find() : null, fetching])
  // When titles match exactly, items with similar words would not help.
  const isClose = total > 0 && found !== null && found.spellings.length > 0
  const otherMatches = found === null || isClose ? null : shortened(found)
  if (total > 0 || otherMatches !== null) return { otherMatches, suggestions: null }
  return {
    otherMatches,
    suggestions: await loadSuggestions(api, (found ?? (await find()))?.spellings ?? []),
  }
}

function shortened({ lessons, courses, tags, spellings }: SearchAnswer): OtherMatches | null {
  if (lessons.length + courses.length + tags.length === 0) return null
  return { lessons: lessons.slice(0, ROW), courses: courses.slice(0, ROW), tags, spellings }
}

/** Loads suggestions for a search without results, leaving out those that fail to load. */
export async function loadSuggestions(
  api: Api,
  spellings: readonly string[],
): Promise<Suggestions> {
  const [shelves, highest] = await Promise.all([
    orElse(api(home.tags, {}), []),
    orElse(api(courses.highest, {}), []),
  ])
  return { spellings, shelves, courses: highest.slice(0, ROW) }
}

/** The list is shown even if the additions fail to load. */
async function orElse<Answer, Other>(
  asking: Promise<Answer>,
  other: Other,
): Promise<Answer | Other> {
  try {
    return await asking
  } catch {
    return other
  }
}
