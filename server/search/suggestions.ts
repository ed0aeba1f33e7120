/** Suggestions while typing: titles; where none contains what is typed, what the search by words finds. */
import { foldTerm } from '#contract/fold.ts'
import type { CourseCard } from '#contract/courses.ts'
import type { LessonCard } from '#contract/lessons.ts'
import type { ItemKind } from '#contract/points.ts'
import type { Suggestion } from '#contract/search.ts'
import type { Db } from '#server/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { findItems, readCourses, readLessons } from '#server/search/find.ts'
import { queryWords } from '#server/search/spelling.ts'
import { suggestTitles } from '#server/search/suggest.ts'

const MOST = 8
/** Of a kind that is fewer among both, so many have their place. */
const LEAST_COURSES = 3

interface Typed {
  readonly kind: ItemKind | 'all'
  readonly q: string
}

interface Chosen {
  readonly id: number
  readonly found?: Suggestion['found']
}

type Both = Readonly<Record<ItemKind, readonly Chosen[]>>

/** Eight at most, of the kind that is asked for; of both lessons first. */
export async function suggest(
  db: Db,
  viewer: Viewer | null,
  { kind, q }: Typed,
): Promise<Suggestion[]> {
  const titled = await byTitle(db, kind, q)
  const isEmpty = titled.lesson.length + titled.course.length === 0
  const { lesson, course } = isEmpty ? await byWords(db, kind, q) : titled
  const lessons = lesson.slice(0, MOST - Math.min(LEAST_COURSES, course.length))
  const courses = course.slice(0, MOST - lessons.length)
  const idOf = ({ id }: Chosen) => id
  const [ofLessons, ofCourses] = await Promise.all([
    lessons.length === 0 ? [] : readLessons(db, lessons.map(idOf), viewer),
    courses.length === 0 ? [] : readCourses(db, courses.map(idOf), viewer),
  ])
  return [...suggested('lesson', ofLessons, lessons), ...suggested('course', ofCourses, courses)]
}

async function byTitle(db: Db, kind: Typed['kind'], q: string): Promise<Both> {
  const titles = async (one: ItemKind) => {
    if (kind !== 'all' && kind !== one) return []
    const ids = await suggestTitles(db, one, q)
    return ids.map((id) => ({ id }))
  }
  const [lesson, course] = await Promise.all([titles('lesson'), titles('course')])
  return { lesson, course }
}

async function byWords(db: Db, kind: Typed['kind'], q: string): Promise<Both> {
  const term = foldTerm(q)
  const words = queryWords(term)
  if (words.length === 0) return { lesson: [], course: [] }
  const items = await findItems(db, term, words, kind === 'all' ? {} : { kind })
  const first = (one: ItemKind) =>
    items[one]
      .slice(0, MOST)
      .map(({ id, why, marked, spelling }) => ({ id, found: { why, marked, spelling } }))
  return { lesson: first('lesson'), course: first('course') }
}

function suggested(
  kind: ItemKind,
  cards: readonly (LessonCard | CourseCard)[],
  chosen: readonly Chosen[],
): Suggestion[] {
  const found = new Map(chosen.map((one) => [one.id, one.found]))
  return cards.map(({ id, title, thumbnail, owner, price, free, bought }) => ({
    id,
    kind,
    title,
    thumbnail,
    owner,
    price,
    free,
    ...(bought !== undefined && { bought }),
    found: found.get(id),
  }))
}
