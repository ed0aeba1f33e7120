import { lessons, type AlsoUnlocked, type LessonCard } from '#contract/lessons.ts'
import { ApiError } from '#web/core/api-error.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { itemHead } from '#web/items/shared/details/item-head.ts'
import { isOpen, lessonId } from '#web/items/lessons/open-lesson.ts'

export { default as Page } from '#web/items/lessons/LessonDetailsPage.tsx'

const BESIDE = 6

export type Because = AlsoUnlocked['because'] | 'taste'

/**
 * Loads the lesson and up to 6 others, which are left out if they fail to load.
 * @throws ApiError when the lesson doesn't exist
 */
export const loader = (async ({ params, api, person }) => {
  const id = lessonId(params['id'])
  const readAlso = () => orNone(api(lessons.also, { id }))
  const readTaste = async (): Promise<Suggestions> => ({
    because: 'taste',
    lessons: await api(lessons.recommended, { lesson: id }),
  })
  // Guests get the same other lessons whether the lesson is open or not, so theirs load at the same time. For
  // signed-in viewers only the lesson's response says whether it is open.
  const [lesson, forGuest] = await Promise.all([
    api(lessons.show, { id }),
    person === null ? readAlso() : NONE,
  ])
  const suggestions =
    person === null ? forGuest : await (isOpen(lesson) ? orNone(readTaste()) : readAlso())
  const otherLessons = suggestions.lessons.filter((other) => other.id !== id).slice(0, BESIDE)
  return { lesson, because: suggestions.because, otherLessons }
}) satisfies Loader<unknown>

interface Suggestions {
  readonly because: Because
  readonly lessons: readonly LessonCard[]
}
const NONE: Suggestions = { because: 'taste', lessons: [] }

/** A lesson is shown even if the other lessons fail to load. */
async function orNone(suggestions: Promise<Suggestions>): Promise<Suggestions> {
  try {
    return await suggestions
  } catch (error) {
    if (error instanceof ApiError) return NONE
    throw error
  }
}

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = ({ lesson }, { t }, origins) =>
  itemHead(
    lesson,
    {
      type: 'LearningResource',
      address: to.lesson(lesson.id),
      list: { name: t('lessons'), href: to.lessons() },
      minutes: lesson.inside.articleMinutes,
    },
    origins,
  )
