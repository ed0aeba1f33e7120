import { courses } from '#contract/courses.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { lessonId } from '#web/items/lessons/open-lesson.ts'

export { default as Page } from '#web/items/courses/CourseEditPage.tsx'

/**
 * Loads the course and the lessons that can be added.
 * @throws a redirect to the list when the viewer may not edit it
 */
export const loader = (async ({ params, api }) => {
  // Opening the form doesn't count as a view.
  const course = await api(courses.show, { id: lessonId(params['id']) }, { quiet: true })
  if (!course.can.edit) throw leave(to.courses())
  return { course, choices: await api(courses.choices, { course: course.id }) }
}) satisfies Loader<unknown>

/** The title names the course, so that tabs can be told apart. Search engines must not list forms. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = ({ course }, { t }) => ({
  title: `${t('editCourseTitle')}: ${course.title}`,
  hidden: true,
})
