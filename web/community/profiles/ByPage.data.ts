import { profiles, type PublicPage } from '#contract/profiles.ts'
import { LAST_PAGE } from '#contract/limits.ts'
import { Page as PageNumber } from '#contract/fields.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { pagesOf } from '#web/community/profiles/profile-pages.ts'

export { default as Page } from '#web/community/profiles/ByPage.tsx'

/** No current or former name is longer. */
const LONGEST_NAME = 29

const LISTS = { lessons: 'ownLessons', courses: 'ownCourses' } as const

/** A former name, or another spelling, leads to the current one. A page beyond the last shows the last. */
export const loader = (async ({ params, url, api }) => {
  const name = [...(params['name'] ?? '')].slice(0, LONGEST_NAME + 1).join('')
  const show = url.searchParams.get('show') === 'courses' ? 'courses' : 'lessons'
  const asked = PageNumber.safeParse(url.searchParams.get('page') ?? 1)
  const page = asked.success ? asked.data : 1
  const ask = (number: number) => api(profiles.by, { name, [show]: number })
  const person = await ask(page)
  if (person.userName !== name) throw leave(to.by(person.userName, show, page))
  if (page === 1 || person[LISTS[show]].length > 0)
    return { person: onlyShown(person, show), show, page } as const
  const last = Math.min(LAST_PAGE, pagesOf(person.counts[show]))
  return { person: onlyShown(await ask(last), show), show, page: last } as const
}) satisfies Loader<unknown>

/** Empties the list of the other tab, to keep the HTML small. */
function onlyShown(person: PublicPage, show: keyof typeof LISTS): PublicPage {
  const { ownLessons, ownCourses } = person
  return {
    ...person,
    ownLessons: show === 'lessons' ? ownLessons : [],
    ownCourses: show === 'courses' ? ownCourses : [],
  }
}

/** Search engines see it once something is published, because a name alone is of no use to anybody. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (
  { person, show, page },
  { t, locale },
  { site, pictures },
) => {
  const { id, userName: username, about, imageUrl, counts } = person
  const description = about === '' ? t('byAbout', { username }) : about
  return {
    title: username,
    description,
    image: imageUrl,
    canonical: to.by(username, show, page),
    feed: to.feedOfAuthor(id, locale),
    hidden: !person.public || counts.lessons + counts.courses === 0,
    jsonLd: {
      '@context': 'https://schema.org',
      '@type': 'ProfilePage',
      mainEntity: {
        '@type': 'Person',
        name: username,
        url: site + to.by(username),
        image: pictures + imageUrl,
        ...(about !== '' && { description: about }),
        interactionStatistic: {
          '@type': 'InteractionCounter',
          interactionType: 'https://schema.org/FollowAction',
          userInteractionCount: person.followers,
        },
      },
    },
  }
}
