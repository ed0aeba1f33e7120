import { lessons } from '#contract/lessons.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { isOpen, lessonId } from '#web/lessons/open-lesson.ts'

export const loader = (async ({ params, api }) => {
  // Opening the form is no view.
  const lesson = await api(lessons.show, { id: lessonId(params['id']) }, { quiet: true })
  if (!lesson.can.edit || !isOpen(lesson)) throw leave(to.lessons())
  return { lesson }
}) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = ({ lesson }, { t }) => ({
  title: `${t('editLessonTitle')}: ${lesson.title}`,
  hidden: true,
})
