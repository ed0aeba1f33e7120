import { lessons, type AlsoUnlocked, type LessonCard } from '#contract/lessons.ts'
import { ApiError } from '#web/core/api-error.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { itemHead } from '#web/items/details/item-head.ts'
import { isOpen, lessonId } from '#web/lessons/open-lesson.ts'

export { default as Page } from '#web/lessons/LessonDetailsPage.tsx'

const BESIDE = 6

/** Why other lessons stand beside one. */
export type Because = AlsoUnlocked['because'] | 'taste'

/**
 * The lesson and up to 6 others beside it; without them when they cannot be had.
 * @throws ApiError when there is no such lesson
 */
export const loader = (async ({ params, api, person }) => {
  const id = lessonId(params['id'])
  const readAlso = () => orNone(api(lessons.also, { id }))
  const readTaste = async (): Promise<Beside> => ({
    because: 'taste',
    lessons: await api(lessons.recommended, { lesson: id }),
  })
  // Guests are shown the same beside an open lesson; who is signed in may have it, which only its own call knows.
  const [lesson, forGuest] = await Promise.all([
    api(lessons.show, { id }),
    person === null ? readAlso() : NONE,
  ])
  const beside =
    person === null ? forGuest : await (isOpen(lesson) ? orNone(readTaste()) : readAlso())
  const others = beside.lessons.filter((other) => other.id !== id).slice(0, BESIDE)
  return { lesson, because: beside.because, others }
}) satisfies Loader<unknown>

interface Beside {
  readonly because: Because
  readonly lessons: readonly LessonCard[]
}
const NONE: Beside = { because: 'taste', lessons: [] }

/** What stands beside a lesson never keeps it from being shown. */
async function orNone(beside: Promise<Beside>): Promise<Beside> {
  try {
    return await beside
  } catch (error) {
    if (error instanceof ApiError) return NONE
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
