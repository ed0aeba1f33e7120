import { courses } from '#contract/courses.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'

export const loader = (async ({ api }) => ({
  choices: await api(courses.choices, {}),
})) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_data, { t }) => ({
  title: t('newCourse'),
  hidden: true,
})
