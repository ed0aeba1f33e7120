import { courses } from '#contract/courses.ts'
import { home } from '#contract/home.ts'
import { lessons } from '#contract/lessons.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'

export { default as Page } from '#web/home/HomePage.tsx'
export { Hero } from '#web/home/Hero.tsx'
export const mainClass = 'stack'

/** The numbers and the three rows of items, fetched side by side because none depends on another. */
export const loader = (async ({ api }) => {
  const [numbers, popular, highest, newest] = await Promise.all([
    api(home.numbers, {}),
    api(lessons.popular, {}),
    api(courses.highest, {}),
    api(lessons.newest, {}),
  ])
  return { numbers, popular, highest, newest }
}) satisfies Loader<unknown>

export type HomeData = Awaited<ReturnType<typeof loader>>

/** The site itself as structured data, with its search, so that search engines may offer it. */
export const head: HeadOf<HomeData> = (_, { t, locale }, origin) => ({
  title: t('homeHeadTitle'),
  description: t('homeDescription'),
  canonical: to.home(),
  jsonLd: {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name: t('brand'),
    url: origin,
    inLanguage: locale,
    potentialAction: {
      '@type': 'SearchAction',
      target: `${origin}${to.lessons()}?search={search_term_string}`,
      'query-input': 'required name=search_term_string',
    },
  },
})
