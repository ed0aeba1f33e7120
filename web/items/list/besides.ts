/** What stands beside a list that is searched by title: what the words find elsewhere, and ways on where it is empty. */
import { courses, type CourseCard } from '#contract/courses.ts'
import { home, type TagShelf } from '#contract/home.ts'
import type { ItemKind } from '#contract/points.ts'
import { search } from '#contract/search.ts'
import type { Api } from '#web/core/api.ts'
import { to } from '#web/core/paths.ts'
import { choicesOf, type Chosen, type Listed } from '#web/items/list/list-words.ts'

/** Courses in a row. */
const ROW = 5

/** What the search by words finds that a list searched by title misses: how many, and where they stand. */
export interface BeyondTitles {
  readonly count: number
  readonly href: string
}

/** What else there is where nothing is found: other spellings, the tags of what is read, the courses people like. */
export interface WaysOn {
  readonly spellings: readonly string[]
  readonly shelves: readonly TagShelf[]
  readonly courses: readonly CourseCard[]
}

export interface Besides {
  /** Null where nothing is searched, where the list is narrowed besides, and where the search can't answer now. */
  readonly beyond: BeyondTitles | null
  /** Null where nothing is searched, and where the list has something. */
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
  if (q === '') return { beyond: null, ways: null }
  const find = () => orElse(api(search.find, { q, kind }), null)
  const isNarrowed = choicesOf({ ...query, sort: 'none' }) > 0 || query.owner !== undefined
  const [found, { total }] = await Promise.all([isNarrowed ? null : find(), fetching])
  const count = found?.beyondTitles[kind === 'lesson' ? 'lessons' : 'courses'] ?? 0
  return {
    beyond: count === 0 ? null : { count, href: to.search({ q, kind }) },
    ways: total > 0 ? null : await waysOn(api, (found ?? (await find()))?.spellings ?? []),
  }
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
