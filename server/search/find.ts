/** The search by words: lessons, courses, tags and, for the signed-in, people. */
import { sql } from 'kysely'
import { foldTag, foldTerm } from '#contract/fold.ts'
import { LAST_PAGE, PAGE_SIZE } from '#contract/limits.ts'
import type { ItemKind } from '#contract/points.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import type { SearchAnswer, SearchQuery } from '#contract/search.ts'
import { shownPerson } from '#server/accounts/answer.ts'
import { courseCards } from '#server/courses/list.ts'
import { CUSTOM_PLAN, type Db } from '#server/db/connect.ts'
import { beginsWith, isNamed } from '#server/db/folded-search.ts'
import { createCardReader } from '#server/items/listing.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { lessonCards } from '#server/lessons/list.ts'
import { findCandidates, type Asked, type Candidate } from '#server/search/candidates.ts'
import { rank, type Ranked } from '#server/search/ranking.ts'
import { completeWords, queryWords, withSpellings, type Meant } from '#server/search/spelling.ts'

/** Where the words as typed find fewer, other spellings are looked for as well. */
const FEW = 3
const MOST_TAGS = 8
const MOST_PEOPLE = sql.lit(8)
const MOST_OF_TAG = sql.lit(1000)

/** Cards of lessons that were found. */
export const readLessons = createCardReader(lessonCards)
/** Cards of courses that were found. */
export const readCourses = createCardReader(courseCards)

const NOTHING: SearchAnswer = {
  lessons: [],
  courses: [],
  tags: [],
  totals: { lessons: 0, courses: 0, tags: 0, people: 0 },
  beyondTitles: { lessons: 0, courses: 0 },
  spellings: [],
}

/** Nothing for nothing, and for signs alone. */
export async function find(
  db: Db,
  viewer: Viewer | null,
  query: SearchQuery,
): Promise<SearchAnswer> {
  const term = foldTerm(query.q)
  const words = queryWords(term)
  if (words.length === 0) return viewer === null ? NOTHING : { ...NOTHING, people: [] }
  const [items, people] = await Promise.all([
    findItems(db, term, words, query),
    viewer === null || (query.kind !== undefined && query.kind !== 'person')
      ? []
      : findPeople(db, term),
  ])
  const lessons = isAsked(query, 'lesson') ? items.lesson : []
  const courses = isAsked(query, 'course') ? items.course : []
  const [lessonHits, courseHits, tags] = await Promise.all([
    withCards(pageOf(lessons, query), (ids) => readLessons(db, ids, viewer)),
    withCards(pageOf(courses, query), (ids) => readCourses(db, ids, viewer)),
    isAsked(query, 'tag') ? countTags(db, items.tags) : [],
  ])
  return {
    lessons: lessonHits,
    courses: courseHits,
    tags,
    ...(viewer !== null && { people }),
    totals: {
      lessons: lessons.length,
      courses: courses.length,
      tags: tags.length,
      people: people.length,
    },
    beyondTitles: {
      lessons: lessons.filter(({ isBeyondTitle }) => isBeyondTitle).length,
      courses: courses.filter(({ isBeyondTitle }) => isBeyondTitle).length,
    },
    spellings: [...items.spellings],
  }
}

const isAsked = ({ kind }: Pick<SearchQuery, 'kind'>, one: NonNullable<SearchQuery['kind']>) =>
  kind === undefined || kind === one

interface FoundTag {
  readonly folded: string
  /** As the first find writes it, in lower case. */
  readonly spelling: string
}

interface Found {
  readonly lesson: readonly Ranked[]
  readonly course: readonly Ranked[]
  readonly tags: readonly FoundTag[]
  readonly spellings: readonly string[]
}

/** As typed; where that finds little with other spellings, and where that finds nothing by any of the words. */
export async function findItems(
  db: Db,
  term: string,
  words: readonly string[],
  query: Pick<SearchQuery, 'kind' | 'tag' | 'free' | 'language'>,
): Promise<Found> {
  const typed = await completeWords(db, words)
  // A word that nothing answers would be looked for in vain, and again with its other spellings.
  const isKnown = typed.every((word) => word.isKnown)
  const strict = isKnown ? await findRanked(db, term, typed, { query, match: 'all' }) : null
  if (strict !== null && countOf(strict) >= FEW) return { ...strict, spellings: [] }
  const meant = await withSpellings(db, typed)
  const spellings = meant.flatMap(({ similar }) => similar.slice(0, 2))
  const all =
    strict !== null && spellings.length === 0
      ? strict
      : await findRanked(db, term, meant, { query, match: 'all' })
  if (countOf(all) > 0 || words.length === 1) return { ...all, spellings }
  return { ...(await findRanked(db, term, meant, { query, match: 'any' })), spellings }
}

const countOf = ({ lesson, course }: Pick<Found, 'lesson' | 'course'>) =>
  lesson.length + course.length

async function findRanked(
  db: Db,
  term: string,
  meant: readonly Meant[],
  {
    query,
    match,
  }: {
    readonly query: Pick<SearchQuery, 'kind' | 'tag' | 'free' | 'language'>
    readonly match: Asked['match']
  },
): Promise<Omit<Found, 'spellings'>> {
  const asked: Asked = {
    term,
    words: meant.map(({ exact, similar }) => [...exact, ...similar]),
    match,
    tag: query.tag,
    free: query.free !== undefined,
    language: query.language,
  }
  const search = async (kind: ItemKind, isWanted: boolean) =>
    isWanted ? findCandidates(db, kind, asked) : []
  const [lessons, courses] = await Promise.all([
    search('lesson', isAsked(query, 'lesson') || isAsked(query, 'tag')),
    search('course', isAsked(query, 'course')),
  ])
  return {
    lesson: rank(lessons, term, meant, match),
    course: rank(courses, term, meant, match),
    tags: tagsIn(lessons, meant),
  }
}

/** The tags of the finds that are among the words, as often as they come. */
function tagsIn(candidates: readonly Candidate[], meant: readonly Meant[]): FoundTag[] {
  const wanted = new Set(meant.flatMap(({ exact, similar }) => [...exact, ...similar]))
  const seen = new Map<string, { spelling: string; times: number }>()
  for (const { tags } of candidates) {
    for (const tag of tags) {
      const folded = foldTag(tag)
      if (!wanted.has(folded)) continue
      const { spelling = tag.toLowerCase(), times = 0 } = seen.get(folded) ?? {}
      seen.set(folded, { spelling, times: times + 1 })
    }
  }
  return [...seen]
    .toSorted(([, one], [, other]) => other.times - one.times)
    .slice(0, MOST_TAGS)
    .map(([folded, { spelling }]) => ({ folded, spelling }))
}

/** How many lessons have each, a thousand at most. */
async function countTags(db: Db, tags: readonly FoundTag[]) {
  if (tags.length === 0) return []
  const { rows } = await sql<{ tag: string; items: number }>`
    select given.spelling as tag, (
      select count(*) from (select from lesson_tags t where t.tag = given.folded limit ${MOST_OF_TAG}) counted
    ) as items
    from unnest(${tags.map(({ folded }) => folded)}::text[], ${tags.map(({ spelling }) => spelling)}::text[])
      with ordinality given (folded, spelling, place) order by given.place`.execute(db)
  return rows
}

/** People whose name begins so, then those of whose name a part does. */
async function findPeople(db: Db, term: string): Promise<ProfileCard[]> {
  const { rows } = await sql<{
    id: string
    username: string
    picture: string | null
  }>`${CUSTOM_PLAN}
    with begun as materialized (
      select u.id from users u where u.erased_at is null and ${beginsWith('u.name_folded', term)}
      order by u.name_folded using ~<~ limit ${MOST_PEOPLE}
    ), named as materialized (
      select u.id from users u where u.erased_at is null and ${isNamed('u.name_folded', [term])}
    ), found as (
      select id, 1 as rank from begun union all (
        select id, 2 from named where id not in (select id from begun) limit ${MOST_PEOPLE}
      )
    )
    select u.id, u.username, p.key as picture
    from found join users u on u.id = found.id left join pictures p on p.id = u.picture_id
    order by found.rank, u.username_folded limit ${MOST_PEOPLE}`.execute(db)
  return rows.map(({ id, username, picture }) => shownPerson(id, username, picture))
}

function pageOf(ranked: readonly Ranked[], { page = 1 }: SearchQuery): Ranked[] {
  const from = (Math.min(page, LAST_PAGE) - 1) * PAGE_SIZE
  return ranked.slice(from, from + PAGE_SIZE)
}

async function withCards<Card extends { readonly id: number }>(
  ranked: readonly Ranked[],
  read: (ids: readonly number[]) => Promise<Card[]>,
): Promise<(Card & Pick<Ranked, 'why' | 'marked'>)[]> {
  if (ranked.length === 0) return []
  const cards = await read(ranked.map(({ id }) => id))
  const hits = new Map(ranked.map((hit) => [hit.id, hit]))
  return cards.flatMap((card) => {
    const hit = hits.get(card.id)
    return hit === undefined ? [] : [{ ...card, why: hit.why, marked: hit.marked }]
  })
}
