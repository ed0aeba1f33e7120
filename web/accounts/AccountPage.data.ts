import { exports } from '#contract/exports.ts'
import { factors } from '#contract/factors.ts'
import { identities } from '#contract/identities.ts'
import { passkeys } from '#contract/passkeys.ts'
import { isOwnProfile, profiles } from '#contract/profiles.ts'
import { waysIn } from '#contract/ways-in.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'

export { default as Page } from '#web/accounts/AccountPage.tsx'

/**
 * The signed-in person's own profile, what their sign-in asks for besides the password or instead of it, and how the copy of their data stands.
 * @throws a redirect: a guest goes to the login, and who signed in as somebody else in another tab goes to that profile
 */
export const loader = (async ({ api, person, url }) => {
  if (person === null) throw leave(to.login(url.pathname))
  const [profile, secondFactor, ownPasskeys, ownIdentities, ways, copy] = await Promise.all([
    api(profiles.show, { id: person._id }),
    api(factors.show, {}),
    api(passkeys.list, {}),
    api(identities.list, {}),
    api(waysIn.show, {}),
    api(exports.show, {}),
  ])
  // Another tab signed in as somebody else.
  if (!isOwnProfile(profile)) throw leave(to.profile(person._id))
  const refused = url.searchParams.get('refused')
  return { profile, secondFactor, ownPasskeys, ownIdentities, ways, copy, refused }
}) satisfies Loader<unknown>

/** Hidden from search engines: the page shows each person something else. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_, { t }) => ({
  title: t('accountTitle'),
  hidden: true,
})
