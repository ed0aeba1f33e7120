import { courses } from '#contract/courses.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/items/courses/CourseCreatePage.tsx'

export const loader = (async ({ api }) => ({
  choices: await api(courses.choices, {}),
})) satisfies Loader<unknown>

/** Hidden from search engines, because a form is no search result. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_data, { t }) => ({
  title: t('newCourse'),
  hidden: true,
})
