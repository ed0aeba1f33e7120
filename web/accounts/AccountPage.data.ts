import { isOwnProfile, profiles } from '#contract/profiles.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'

export { default as Page } from '#web/accounts/AccountPage.tsx'

/**
 * The signed-in person's own profile.
 * @throws a redirect: a guest goes to the login, and who signed in as somebody else in another tab goes to that profile
 */
export const loader = (async ({ api, person, url }) => {
  if (person === null) throw leave(to.login(url.pathname))
  const profile = await api(profiles.show, { id: person._id })
  // Another tab signed in as somebody else.
  if (!isOwnProfile(profile)) throw leave(to.profile(person._id))
  return { profile }
}) satisfies Loader<unknown>

/** Hidden from search engines: the page shows each person something else. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_, { t }) => ({
  title: t('accountTitle'),
  hidden: true,
})
