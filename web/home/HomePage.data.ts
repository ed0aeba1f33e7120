import { courses } from '#contract/courses.ts'
import { home } from '#contract/home.ts'
import { DETECTED_LANGUAGES } from '#contract/items.ts'
import { lessons } from '#contract/lessons.ts'
import type { Locale } from '#contract/messages/messages.ts'
import type { HeadOf, Loader, PageArgs } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'

export { default as Page } from '#web/home/HomePage.tsx'
export { Hero } from '#web/home/Hero.tsx'
export const mainClass = 'stack'

/** Items in a row. */
const ROW = 8

/** Guests and new users see free lessons. Other users see their stall, which contains rows with their progress. */
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

/** The most watched first, those in the reader's language before all others. */
async function readFree(api: PageArgs['api'], locale: Locale) {
  const query = { free: '1', sort: 'views' } as const
  const own = DETECTED_LANGUAGES.find((language) => language === locale)
  const [first, all] = await Promise.all([
    own === undefined ? null : api(lessons.browse, { ...query, language: own }),
    api(lessons.browse, query),
  ])
  const others = all.items.filter(({ language }) => language !== locale)
  return { total: all.total, lessons: [...(first?.items ?? []), ...others].slice(0, ROW) }
}

export type HomeData = Awaited<ReturnType<typeof loader>>

/** Structured data that lets search engines offer the site's search. */
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
