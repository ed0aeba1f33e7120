/** Full search for lessons, courses, tags and, for signed-in viewers, people. */
import { sql } from 'kysely'
import { foldTag, foldTerm } from '#contract/fold.ts'
import { lengthOf } from '#contract/measure.ts'
import { LAST_PAGE, PAGE_SIZE } from '#contract/limits.ts'
import type { ItemKind } from '#contract/points.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import type { SearchAnswer, SearchQuery } from '#contract/search.ts'
import { shownPerson } from '#server/people/accounts/answer.ts'
import { courseCards } from '#server/items/courses/list.ts'
import { CUSTOM_PLAN, type Db } from '#server/platform/db/connect.ts'
import { beginsWith, isNamed } from '#server/platform/db/folded-search.ts'
import { createCardReader } from '#server/items/shared/listing.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { lessonCards } from '#server/items/lessons/list.ts'
import { findCandidates, type Asked, type Candidate } from '#server/items/search/candidates.ts'
import { rank, type Ranked } from '#server/items/search/ranking.ts'
import { findSpoken } from '#server/items/search/spoken.ts'
import {
  lookUpWords,
  queryWords,
  withSpellings,
  type QueryWord,
} from '#server/items/search/query-words.ts'

/** Shorter words are the beginning of too many others. */
const SHORTEST_BEGINNING = 4
const MOST_TAGS = 8
const MOST_PEOPLE = sql.lit(8)
const MOST_OF_TAG = sql.lit(1000)

export const readLessons = createCardReader(lessonCards)
export const readCourses = createCardReader(courseCards)

const NOTHING: SearchAnswer = {
  lessons: [],
  courses: [],
  tags: [],
  totals: { lessons: 0, courses: 0, tags: 0, people: 0 },
  spellings: [],
}

interface FindResult {
  readonly answer: SearchAnswer
  /** The whole site was searched, and has nothing. */
  readonly isMiss: boolean
}

/** Finds nothing for a query without words. */
export async function find(db: Db, viewer: Viewer | null, query: SearchQuery): Promise<FindResult> {
  const term = foldTerm(query.q)
  const words = queryWords(term)
  if (words.length === 0)
    return { answer: viewer === null ? NOTHING : { ...NOTHING, people: [] }, isMiss: false }
  const [items, spoken, people] = await Promise.all([
    findItems(db, term, words, query),
    viewer === null || !isAsked(query, 'lesson')
      ? []
      : findSpoken(db, viewer, words, narrowed(query)),
    viewer === null || (query.kind !== undefined && query.kind !== 'person')
      ? []
      : findPeople(db, term),
  ])
  const shown = (kind: ItemKind) =>
    items[kind].filter(({ isTitled }) => query.besides !== kind || !isTitled)
  const written = isAsked(query, 'lesson') ? shown('lesson') : []
  const lessons = [...written, ...toRanked(spoken, items.lesson)]
  const courses = isAsked(query, 'course') ? shown('course') : []
  const [lessonHits, courseHits, tags] = await Promise.all([
    withCards(pageOf(lessons, query), (ids) => readLessons(db, ids, viewer)),
    withCards(pageOf(courses, query), (ids) => readCourses(db, ids, viewer)),
    isAsked(query, 'tag') ? countTags(db, items.tags) : [],
  ])
  const answer = {
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
    spellings: [...items.spellings],
  }
  return { answer, isMiss: isWhole(query) && countOf(items) + spoken.length + people.length === 0 }
}

const isWhole = ({ kind, tag, free, language }: Narrowed) =>
  [kind, tag, free, language].every((choice) => choice === undefined)

const narrowed = ({ tag, free, language }: Narrowed) => ({
  tag,
  free: free !== undefined,
  language,
})

/** Lessons that were found by what is spoken alone follow all others. */
function toRanked(spoken: readonly number[], written: readonly Ranked[]): Ranked[] {
  const known = new Set(written.map(({ id }) => id))
  const common = { score: 0, why: 'spoken', isTitled: false, spelling: null } as const
  return spoken
    .filter((id) => !known.has(id))
    .map((id) => ({ ...common, id, marked: { text: '', places: [] } }))
}

const isAsked = ({ kind }: Pick<SearchQuery, 'kind'>, one: NonNullable<SearchQuery['kind']>) =>
  kind === undefined || kind === one

interface FoundTag {
  readonly folded: string
  /** The first match's spelling, in lower case. */
  readonly spelling: string
}

interface Found {
  readonly lesson: readonly Ranked[]
  readonly course: readonly Ranked[]
  readonly tags: readonly FoundTag[]
  readonly spellings: readonly string[]
}

export type Narrowed = Pick<SearchQuery, 'kind' | 'tag' | 'free' | 'language'>

/**
 * Finds items with all words, as typed or in another form; if there are none, also with longer words, and with
 * other spellings of unknown words; if there are still none, items with any of the words.
 * @param words the term's words, see `queryWords`
 * @param options.prefix a word that is still being typed, which longer words match too
 */
export async function findItems(
  db: Db,
  term: string,
  words: readonly string[],
  query: Narrowed,
  { prefix }: { prefix?: string | undefined } = {},
): Promise<Found> {
  const known = await lookUpWords(db, words)
  const search = async (asked: readonly QueryWord[], match: Asked['match'] = 'all') => ({
    ...(await findRanked(db, term, asked, { query, match })),
    spellings: asked.flatMap(({ spellings }) => spellings.slice(0, 2)),
  })
  const longer = withBeginnings(
    known,
    ({ typed }) => typed === prefix || lengthOf(typed) >= SHORTEST_BEGINNING,
  )
  const isEveryKnown = known.every(({ isKnown }) => isKnown)
  if (isEveryKnown) {
    const found = await search(withBeginnings(known, ({ typed }) => typed === prefix))
    if (countOf(found) > 0) return found
  }
  const spelled = isEveryKnown ? longer : await withSpellings(db, longer)
  const all = await search(spelled)
  if (countOf(all) > 0 || known.length === 1) return all
  if (isEveryKnown) return search(longer, 'any')
  const any = await search(
    longer.filter(({ isKnown }) => isKnown),
    'any',
  )
  return countOf(any) > 0 ? any : search(spelled, 'any')
}

function withBeginnings(words: readonly QueryWord[], isWanted: (word: QueryWord) => boolean) {
  return words.map((word) => (isWanted(word) ? word : { ...word, isPrefix: false, beginnings: [] }))
}

const countOf = ({ lesson, course }: Pick<Found, 'lesson' | 'course'>) =>
  lesson.length + course.length

async function findRanked(
  db: Db,
  term: string,
  words: readonly QueryWord[],
  { query, match }: { readonly query: Narrowed; readonly match: Asked['match'] },
): Promise<Omit<Found, 'spellings'>> {
  const asked: Asked = {
    term,
    words: words.map(answersTo),
    match,
    ...narrowed(query),
  }
  const search = async (kind: ItemKind, isWanted: boolean) =>
    isWanted ? findCandidates(db, kind, asked) : []
  const [lessons, courses] = await Promise.all([
    search('lesson', isAsked(query, 'lesson') || isAsked(query, 'tag')),
    search('course', isAsked(query, 'course')),
  ])
  return {
    lesson: rank(lessons, term, words, match),
    course: rank(courses, term, words, match),
    tags: tagsIn(lessons, words),
  }
}

/** The word as typed, then the other words that match it. */
const answersTo = ({ typed, forms, beginnings, spellings }: QueryWord): string[] => [
  ...new Set([typed, ...forms, ...beginnings, ...spellings]),
]

/** Returns the tags of the matches that are among the words, most frequent first. */
function tagsIn(candidates: readonly Candidate[], words: readonly QueryWord[]): FoundTag[] {
  const wanted = new Set(words.flatMap(answersTo))
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

/** Counts the lessons of each tag, up to 1,000. */
export async function countTags(db: Db, tags: readonly FoundTag[]) {
  if (tags.length === 0) return []
  const { rows } = await sql<{ tag: string; items: number }>`
    select given.spelling as tag, (
      select count(*) from (select from lesson_tags t where t.tag = given.folded limit ${MOST_OF_TAG}) counted
    ) as items
    from unnest(${tags.map(({ folded }) => folded)}::text[], ${tags.map(({ spelling }) => spelling)}::text[])
      with ordinality given (folded, spelling, place) order by given.place`.execute(db)
  return rows
}

/** Returns people whose name begins with the term, then those whose name contains it. */
export async function findPeople(db: Db, term: string): Promise<ProfileCard[]> {
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
