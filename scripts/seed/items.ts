import { foldTerm } from '#contract/fold.ts'
import { COURSE_LESSONS } from '#contract/limits.ts'
import { wordsOf } from '#server/items/words/words.ts'
import { FREE_SALT, hash, momentOf, type Content } from '#scripts/seed/content.ts'
import { idOf, line, titleOf, type Begin, type SeedTable } from '#scripts/seed/row.ts'
import { detectLanguage } from '#opinion'

const TAGS = 500
const VIEWS = 5000
const ARTICLE = `<p>${'Words that say how it is done, and <strong>why</strong>. '.repeat(8)}</p>`
const DESCRIPTION = 'What one needs to begin, and where to go on'
/**
 * The texts of this many lessons and courses are indexed again, which fills the search dictionary with all words.
 */
const DUE = 5000

const languages = new Map<string, string>()

/** Caches the result, because there are few titles. */
function languageOf(title: string): string {
  const language = languages.get(title) ?? detectLanguage([title, DESCRIPTION])
  languages.set(title, language)
  return language
}

/** Returns the words of the texts as an array for `COPY`. */
const wordsIn = (...texts: readonly string[]) => `{${wordsOf(texts).join(',')}}`

/** Returns the number of likes and comments of each lesson. */
function countNumbers({ sizes, like, comment, tries }: Content) {
  const likes = new Int32Array(sizes.lessons)
  const comments = new Int32Array(sizes.lessons)
  const add = (counts: Int32Array, lesson: number) => {
    counts[lesson] = (counts[lesson] ?? 0) + 1
  }
  for (let n = 0; n < tries(sizes.likes); n += 1) {
    const found = like(n)
    if (found !== null) add(likes, found.lesson)
  }
  for (let n = 0; n < sizes.comments; n += 1) add(comments, comment(n).lesson)
  return { likes, comments }
}

/** Tables in an order that satisfies foreign keys. */
export function itemTables(content: Content, begin: Begin): SeedTable[] {
  const { sizes, authors, courses, ownerOf } = content
  const count = sizes.lessons
  const numbers = countNumbers(content)
  const chance = (salt: number, n: number) => hash(sizes.seed, FREE_SALT + salt, n)
  const tagOf = (n: number) => `tag${chance(3, n) % TAGS}`
  const lessonOf = (course: number, place: number) => course + place * authors
  const held = (course: number) =>
    Array.from({ length: COURSE_LESSONS.min }, (_, place) => lessonOf(course, place))
  return [
    {
      name: 'lessons',
      columns: ['id', 'owner_id', 'title_folded', 'likes', 'views', 'comments', 'created_at'],
      count,
      rowOf: (n) =>
        line(
          begin.lesson + n,
          idOf([content, begin], ownerOf(n)),
          foldTerm(titleOf(sizes.seed, 'lesson', n)),
          numbers.likes[n] ?? 0,
          chance(2, n) % VIEWS,
          numbers.comments[n] ?? 0,
          momentOf(n, count),
        ),
    },
    {
      name: 'lesson_contents',
      columns: [
        'lesson_id',
        'title',
        'description',
        'language',
        'tags',
        'video_id',
        'article',
        'article_minutes',
      ],
      count,
      rowOf: (n) =>
        line(
          begin.lesson + n,
          titleOf(sizes.seed, 'lesson', n),
          DESCRIPTION,
          languageOf(titleOf(sizes.seed, 'lesson', n)),
          `{${tagOf(n)},learning}`,
          `v${n.toString(36).padStart(10, '0')}`,
          ARTICLE,
          1,
        ),
    },
    {
      name: 'lesson_tags',
      columns: ['tag', 'lesson_id'],
      count,
      rowOf: (n) => line(tagOf(n), begin.lesson + n) + line('learning', begin.lesson + n),
    },
    {
      name: 'courses',
      columns: ['id', 'owner_id', 'title_folded', 'comments', 'lesson_count', 'created_at'],
      count: courses,
      rowOf: (n) => {
        const comments = held(n).reduce((sum, each) => sum + (numbers.comments[each] ?? 0), 0)
        return line(
          begin.course + n,
          idOf([content, begin], n),
          foldTerm(titleOf(sizes.seed, 'course', n)),
          comments,
          COURSE_LESSONS.min,
          momentOf(n, courses),
        )
      },
    },
    {
      name: 'course_contents',
      columns: ['course_id', 'title', 'description', 'language'],
      count: courses,
      rowOf: (n) => {
        const title = titleOf(sizes.seed, 'course', n)
        return line(begin.course + n, title, DESCRIPTION, languageOf(title))
      },
    },
    {
      name: 'lesson_words',
      columns: ['lesson_id', 'words'],
      count,
      rowOf: (n) =>
        line(
          begin.lesson + n,
          wordsIn(titleOf(sizes.seed, 'lesson', n), DESCRIPTION, tagOf(n), 'learning'),
        ),
    },
    {
      name: 'course_words',
      columns: ['course_id', 'words'],
      count: courses,
      rowOf: (n) => line(begin.course + n, wordsIn(titleOf(sizes.seed, 'course', n), DESCRIPTION)),
    },
    {
      name: 'search_due',
      columns: ['kind', 'item_id'],
      count: Math.min(DUE, count),
      rowOf: (n) =>
        line('lesson', begin.lesson + n) + (n < courses ? line('course', begin.course + n) : ''),
    },
    {
      name: 'course_lessons',
      columns: ['course_id', 'lesson_id', 'position'],
      count: courses,
      rowOf: (n) =>
        held(n)
          .map((each, place) => line(begin.course + n, begin.lesson + each, place + 1))
          .join(''),
    },
  ]
}
