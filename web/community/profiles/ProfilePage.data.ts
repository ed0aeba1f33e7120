import { chat } from '#contract/chat.ts'
import { Page, UserId } from '#contract/fields.ts'
import { LAST_PAGE } from '#contract/limits.ts'
import { isOwnProfile, profiles, type Profile } from '#contract/profiles.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { pagesOf } from '#web/community/profiles/profile-pages.ts'

export { default as Page } from '#web/community/profiles/ProfilePage.tsx'

/** No current or former name is longer. */
const LONGEST_NAME = 29

/** A name in the URL, current or former, redirects to the person's id. */
export const loader = (async ({ params, url, api, person: viewer }) => {
  const given = params['id'] ?? ''
  const id = UserId.safeParse(given)
  if (!id.success) {
    const person = await api(profiles.named, { name: given.slice(0, LONGEST_NAME + 1) })
    throw leave(to.profile(person.id))
  }
  const asked = url.searchParams.get('show')
  const show = asked === 'courses' || asked === 'comments' ? asked : 'lessons'
  const page = pageOf(url.searchParams.get(show))
  const ask = (number: number) => api(profiles.show, { id: id.data, [show]: number })
  const isOwn = id.data === viewer?._id
  const [profile, { blocked }] = await Promise.all([
    ask(page),
    isOwn ? { blocked: false } : api(chat.isBlocked, { id: id.data }),
  ])
  if (page === 1 || profile[LISTS[show]].length > 0)
    return { profile: onlyShown(profile, show), show, page, blocked } as const
  // Others may see fewer comments than the count, so only the first page is certain to exist.
  const isCounted = show !== 'comments' || isOwnProfile(profile)
  const last = isCounted ? Math.min(LAST_PAGE, pagesOf(profile.counts[show])) : 1
  return { profile: onlyShown(await ask(last), show), show, page: last, blocked } as const
}) satisfies Loader<unknown>

/** Empties the lists of the other tabs, to keep the HTML small. */
function onlyShown<Shown extends Profile>(profile: Shown, show: keyof typeof LISTS): Shown {
  const { ownLessons, ownCourses, comments } = profile
  return {
    ...profile,
    ownLessons: show === 'lessons' ? ownLessons : [],
    ownCourses: show === 'courses' ? ownCourses : [],
    comments: show === 'comments' ? comments : [],
  }
}

const LISTS = { lessons: 'ownLessons', courses: 'ownCourses', comments: 'comments' } as const

/** Returns 1 for anything that is not a page number. */
function pageOf(given: string | null): number {
  const page = Page.safeParse(given ?? 1)
  return page.success ? page.data : 1
}

/** Hidden from search engines, because people did not ask to be found. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = ({ profile }, { locale }) => ({
  title: profile.username,
  feed: to.feedOfAuthor(profile.id, locale),
  hidden: true,
})
