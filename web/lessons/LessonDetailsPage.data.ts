import type { LessonCard } from '#contract/lessons.schemas.ts'
import { lessons } from '#contract/lessons.ts'
import { ApiError } from '#web/core/api-error.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { itemHead } from '#web/items/details/item-head.ts'
import { isOpen, lessonId } from '#web/lessons/open-lesson.ts'

export { default as Page } from '#web/lessons/LessonDetailsPage.tsx'
export { viewOf } from '#web/lessons/details/lesson-views.ts'

const BESIDE = 6

/**
 * The lesson and up to 6 others beside it; without them when they cannot be had.
 * @throws ApiError when there is no such lesson
 */
export const loader = (async ({ params, api, person }) => {
  const id = lessonId(params['id'])
  // What a person is recommended hangs on the person, not on what the lesson's call answers.
  const [lesson, recommended] = await Promise.all([
    api(lessons.show, { id }),
    person === null ? [] : orNone(api(lessons.recommended, { lesson: id })),
  ])
  // A guest's locked page is the one that is asked for most, and stays lean.
  const isPreview = person === null && isOpen(lesson)
  const others = isPreview ? await api(lessons.popular, {}) : recommended
  return { lesson, others: others.filter((other) => other.id !== id).slice(0, BESIDE) }
}) satisfies Loader<unknown>

/** What stands beside a lesson never keeps it from being shown. */
async function orNone(cards: Promise<LessonCard[]>): Promise<LessonCard[]> {
  try {
    return await cards
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}

/** Title, picture and structured data, made of what every reader may see. */
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
