import { courses } from '#contract/courses.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { lessonId } from '#web/lessons/open-lesson.ts'

export { default as Page } from '#web/courses/CourseEditPage.tsx'

/**
 * The course to edit, and the lessons that may be put into it.
 * @throws a redirect to the list when the person may not edit it
 */
export const loader = (async ({ params, api }) => {
  // Opening the form is no view.
  const course = await api(courses.show, { id: lessonId(params['id']) }, { quiet: true })
  if (!course.can.edit) throw leave(to.courses())
  return { course, choices: await api(courses.choices, { course: course.id }) }
}) satisfies Loader<unknown>

/**
 * Named after the course, so that several tabs can be distinguished. Hidden from search engines: a form is nothing to
 * find.
 */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = ({ course }, { t }) => ({
  title: `${t('editCourseTitle')}: ${course.title}`,
  hidden: true,
})
