/** Suggestions while typing: results of the search in which the last word may be incomplete. */
import { foldTerm } from '#contract/fold.ts'
import type { CourseCard } from '#contract/courses.ts'
import type { LessonCard } from '#contract/lessons.ts'
import type { ItemKind } from '#contract/points.ts'
import type { ItemSuggestion, Suggestion } from '#contract/search.ts'
import type { Db } from '#server/platform/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import {
  countTags,
  findItems,
  findPeople,
  readCourses,
  readLessons,
} from '#server/items/search/find.ts'
import { queryWords } from '#server/items/search/query-words.ts'
import type { Ranked } from '#server/items/search/ranking.ts'
import { placedWords } from '#server/items/words/words.ts'

const MOST = 8
/** Maximum numbers of tags and people among suggestions of all kinds, and the minimum of courses. */
const TAGS = 2
const PEOPLE = 2
const LEAST_COURSES = 2

/** Returns at most 8: items, best first, then tags and, for signed-in viewers, people. */
export async function suggest(
  db: Db,
  viewer: Viewer | null,
  { kind, q }: { readonly kind: ItemKind | 'all'; readonly q: string },
): Promise<Suggestion[]> {
  const term = foldTerm(q)
  const words = queryWords(term)
  if (words.length === 0) return []
  const prefix = placedWords(term).at(-1)?.word
  const [items, named] = await Promise.all([
    findItems(db, term, words, kind === 'all' ? {} : { kind }, { prefix }),
    kind === 'all' && viewer !== null ? findPeople(db, term) : [],
  ])
  const people = named.slice(0, PEOPLE)
  const tags = kind === 'all' ? items.tags.slice(0, TAGS) : []
  const places = MOST - tags.length - people.length
  const lessons = items.lesson.slice(0, places - Math.min(LEAST_COURSES, items.course.length))
  const courses = items.course.slice(0, places - lessons.length)
  const idOf = ({ id }: Ranked) => id
  const [lessonCards, courseCards, counted] = await Promise.all([
    lessons.length === 0 ? [] : readLessons(db, lessons.map(idOf), viewer),
    courses.length === 0 ? [] : readCourses(db, courses.map(idOf), viewer),
    countTags(db, tags),
  ])
  return [
    ...[...suggested('lesson', lessonCards, lessons), ...suggested('course', courseCards, courses)]
      .toSorted((one, other) => other.score - one.score)
      .map(({ suggestion }) => suggestion),
    ...counted.map((tag) => ({ kind: 'tag' as const, ...tag })),
    ...people.map((person) => ({ kind: 'person' as const, ...person })),
  ]
}

function suggested(
  kind: ItemKind,
  cards: readonly (LessonCard | CourseCard)[],
  ranked: readonly Ranked[],
): { readonly score: number; readonly suggestion: ItemSuggestion }[] {
  const hits = new Map(ranked.map((hit) => [hit.id, hit]))
  return cards.flatMap(({ id, title, thumbnail, owner, price, free, bought }) => {
    const hit = hits.get(id)
    if (hit === undefined) return []
    const { why, marked, spelling, isTitled, score } = hit
    const suggestion = {
      id,
      kind,
      title,
      thumbnail,
      owner,
      price,
      free,
      ...(bought !== undefined && { bought }),
      ...(!isTitled && { found: { why, marked, spelling } }),
    }
    return [{ score, suggestion }]
  })
}
