/** What a list that is searched by title shows besides: what the search by words finds elsewhere, or ways on. */
import { courses, type CourseCard } from '#contract/courses.ts'
import { home, type TagShelf } from '#contract/home.ts'
import type { ItemKind } from '#contract/points.ts'
import { search, type SearchAnswer } from '#contract/search.ts'
import type { Api } from '#web/core/api.ts'
import { choicesOf, type Chosen, type Listed } from '#web/items/list/list-words.ts'

/** Cards in a row. */
const ROW = 5

/** What the search by words finds that a list searched by title does not show. */
export type Elsewhere = Pick<SearchAnswer, 'lessons' | 'courses' | 'tags' | 'spellings'>

/** What else there is where nothing is found: other spellings, the tags of what is read, the courses people like. */
export interface WaysOn {
  readonly spellings: readonly string[]
  readonly shelves: readonly TagShelf[]
  readonly courses: readonly CourseCard[]
}

export interface Besides {
  /** Null without a search, on a narrowed list, after the first page, and where there is nothing. */
  readonly elsewhere: Elsewhere | null
  /** Null without a search, and where anything was found. */
  readonly ways: WaysOn | null
}

/** What stands beside the list that these choices ask for, which is being fetched meanwhile. */
export async function besides(
  api: Api,
  kind: ItemKind,
  query: Chosen,
  fetching: Promise<Pick<Listed, 'total'>>,
): Promise<Besides> {
  const q = query.search.trim()
  if (q === '') return { elsewhere: null, ways: null }
  const isNarrowed = choicesOf({ ...query, sort: 'none' }) > 0 || query.owner !== undefined
  const isFirst = (query.page ?? 1) === 1
  const find = () => orElse(api(search.find, { q, besides: kind }), null)
  const [found, { total }] = await Promise.all([isFirst && !isNarrowed ? find() : null, fetching])
  // Beside titles that match, similar words are no answer.
  const isClose = total > 0 && found !== null && found.spellings.length > 0
  const elsewhere = found === null || isClose ? null : shortened(found)
  if (total > 0 || elsewhere !== null) return { elsewhere, ways: null }
  return { elsewhere, ways: await waysOn(api, (found ?? (await find()))?.spellings ?? []) }
}

function shortened({ lessons, courses, tags, spellings }: SearchAnswer): Elsewhere | null {
  if (lessons.length + courses.length + tags.length === 0) return null
  return { lessons: lessons.slice(0, ROW), courses: courses.slice(0, ROW), tags, spellings }
}

/** The ways on from a search in vain, as many as can be had now. */
export async function waysOn(api: Api, spellings: readonly string[]): Promise<WaysOn> {
  const [shelves, highest] = await Promise.all([
    orElse(api(home.tags, {}), []),
    orElse(api(courses.highest, {}), []),
  ])
  return { spellings, shelves, courses: highest.slice(0, ROW) }
}

/** What stands beside a list never keeps it from being shown. */
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
