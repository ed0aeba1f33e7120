import { courses } from '#contract/courses.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/courses/CourseCreatePage.tsx'

/** The lessons that the signed-in person may put into a course. */
export const loader = (async ({ api }) => ({
  choices: await api(courses.choices, {}),
})) satisfies Loader<unknown>

/** Hidden from search engines: a form is nothing to find. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_data, { t }) => ({
  title: t('newCourse'),
  hidden: true,
})
