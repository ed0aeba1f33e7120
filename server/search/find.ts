/** The search by words: lessons, courses, tags and, for the signed-in, people. */
import { sql } from 'kysely'
import { LAST_PAGE, PAGE_SIZE } from '#contract/limits.ts'
import type { ItemKind } from '#contract/points.schemas.ts'
import type { ProfileCard } from '#contract/profile-card.schemas.ts'
import type { SearchAnswer, SearchQuery } from '#contract/search.schemas.ts'
import { shownPerson } from '#server/accounts/answer.ts'
import { courseCards } from '#server/courses/list.ts'
import { CUSTOM_PLAN, type Db } from '#server/db/connect.ts'
import { beginsWith, foldTerm } from '#server/db/folded-search.ts'
import { createCardReader } from '#server/items/listing.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { foldCase, foldText } from '#server/kernel/text/fold.ts'
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
      : findPeople(db, query.q),
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

interface Found {
  readonly lesson: readonly Ranked[]
  readonly course: readonly Ranked[]
  readonly tags: readonly string[]
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
    lesson: rank(lessons, term, meant),
    course: rank(courses, term, meant),
    tags: tagsIn(lessons, meant),
  }
}

/** The tags of the finds that are among the words, as often as they come. */
function tagsIn(candidates: readonly Candidate[], meant: readonly Meant[]): string[] {
  const wanted = new Set(meant.flatMap(({ exact, similar }) => [...exact, ...similar]))
  const seen = new Map<string, number>()
  for (const { tags } of candidates) {
    for (const tag of new Set(tags.map((each) => each.toLowerCase())))
      if (wanted.has(foldText(tag))) seen.set(tag, (seen.get(tag) ?? 0) + 1)
  }
  return [...seen]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MOST_TAGS)
    .map(([tag]) => tag)
}

/** How many lessons have each, a thousand at most. */
async function countTags(db: Db, tags: readonly string[]) {
  if (tags.length === 0) return []
  const { rows } = await sql<{ tag: string; items: number }>`
    select given.tag, (
      select count(*) from (select from lesson_tags t where t.tag = given.tag limit ${MOST_OF_TAG}) counted
    ) as items
    from unnest(${tags}::text[]) with ordinality given (tag, place) order by given.place`.execute(
    db,
  )
  return rows
}

/** People whose name begins so. */
async function findPeople(db: Db, typed: string): Promise<ProfileCard[]> {
  const name = foldCase(typed.replaceAll('\0', '')).trim()
  const { rows } = await sql<{
    id: string
    username: string
    picture: string | null
  }>`${CUSTOM_PLAN}
    select u.id, u.username, p.key as picture
    from users u left join pictures p on p.id = u.picture_id
    where u.erased_at is null and ${beginsWith('u.username_folded', name)}
    order by u.username_folded limit ${MOST_PEOPLE}`.execute(db)
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
