import { courses } from '#contract/courses.ts'
import { home } from '#contract/home.ts'
import { lessons } from '#contract/lessons.ts'
import type { Locale } from '#contract/messages/messages.ts'
import type { HeadOf, Loader, PageArgs } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'

export { default as Page } from '#web/home/HomePage.tsx'
export { Hero } from '#web/home/Hero.tsx'
export const mainClass = 'stack'

/** As many as stand in a row. */
const ROW = 8

/**
 * The numbers and the rows of items, fetched side by side because none depends on another. Guests and new people are
 * shown what they may open; the signed-in their stall, which has the rows with their marks.
 */
export const loader = (async ({ api, person, locale }) => {
  const [numbers, newest, shelves, rows] = await Promise.all([
    api(home.numbers, {}),
    api(lessons.newest, {}),
    api(home.tags, {}),
    person === null ? readRows(api, locale) : readStall(api, locale),
  ])
  return { numbers, newest, shelves, ...rows }
}) satisfies Loader<unknown>

async function readStall(api: PageArgs['api'], locale: Locale) {
  const stall = await api(home.stall, {})
  const free = stall.steps === null ? null : await readFree(api, locale)
  return { stall, popular: stall.popular, highest: stall.highest, free }
}

async function readRows(api: PageArgs['api'], locale: Locale) {
  const [popular, highest, free] = await Promise.all([
    api(lessons.popular, {}),
    api(courses.highest, {}),
    readFree(api, locale),
  ])
  return { stall: null, popular, highest, free }
}

/** What everybody may open, the most watched first; of it what is in the reader's language before the others. */
async function readFree(api: PageArgs['api'], locale: Locale) {
  const query = { free: '1', sort: 'views' } as const
  const [own, all] = await Promise.all([
    api(lessons.browse, { ...query, language: locale }),
    api(lessons.browse, query),
  ])
  const others = all.items.filter(({ language }) => language !== locale)
  return { total: all.total, lessons: [...own.items, ...others].slice(0, ROW) }
}

export type HomeData = Awaited<ReturnType<typeof loader>>

/** The site itself as structured data, with its search, so that search engines may offer it. */
export const head: HeadOf<HomeData> = (_, { t, locale }, { site }) => ({
  title: t('homeHeadTitle'),
  description: t('homeDescription'),
  canonical: to.home(),
  jsonLd: {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name: t('brand'),
    url: site,
    inLanguage: locale,
    potentialAction: {
      '@type': 'SearchAction',
      target: `${site}${to.lessons()}?search={search_term_string}`,
      'query-input': 'required name=search_term_string',
    },
  },
})
