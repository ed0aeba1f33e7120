import { lessons } from '#contract/lessons.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { isOpen, lessonId } from '#web/lessons/open-lesson.ts'

export { default as Page } from '#web/lessons/LessonEditPage.tsx'

/** The lesson to edit. @throws a redirect to the list when the person may not edit it */
export const loader = (async ({ params, api }) => {
  // Opening the form is no view.
  const lesson = await api(lessons.show, { id: lessonId(params['id']) }, { quiet: true })
  if (!lesson.can.edit || !isOpen(lesson)) throw leave(to.lessons())
  return { lesson }
}) satisfies Loader<unknown>

/**
 * Named after the lesson, so that several tabs can be distinguished. Hidden from search engines: a form is nothing to
 * find.
 */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = ({ lesson }, { t }) => ({
  title: `${t('editLessonTitle')}: ${lesson.title}`,
  hidden: true,
})
