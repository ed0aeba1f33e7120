import { lessons } from '#contract/lessons.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { lessonId } from '#web/lessons/open-lesson.ts'

export const loader = (async ({ params, api }) => {
  // Writing about a lesson is no view of it.
  const lesson = await api(lessons.show, { id: lessonId(params['id']) }, { quiet: true })
  // What is inside stays where it is.
  const { id, title, owner, ownerName, ownerImage } = lesson
  return { lesson: { id, title, owner, ownerName, ownerImage } }
}) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = ({ lesson }, { t }) => ({
  title: `${t('contactTitle')}: ${lesson.title}`,
  hidden: true,
})
