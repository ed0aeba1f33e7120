import { courses } from '#contract/courses.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { lessonId } from '#web/lessons/open-lesson.ts'

export const loader = (async ({ params, api }) => {
  // Opening the form is no view.
  const course = await api(courses.show, { id: lessonId(params['id']) }, { quiet: true })
  if (!course.can.edit) throw leave(to.courses())
  return { course, choices: await api(courses.choices, { course: course.id }) }
}) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = ({ course }, { t }) => ({
  title: `${t('editCourseTitle')}: ${course.title}`,
  hidden: true,
})
