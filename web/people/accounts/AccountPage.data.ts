import { exports } from '#contract/exports.ts'
import { factors } from '#contract/factors.ts'
import { identities } from '#contract/identities.ts'
import { passkeys } from '#contract/passkeys.ts'
import { isOwnProfile, profiles } from '#contract/profiles.ts'
import { waysIn } from '#contract/ways-in.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'

export { default as Page } from '#web/people/accounts/AccountPage.tsx'

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
  // The user may have signed in as somebody else in another tab.
  if (!isOwnProfile(profile)) throw leave(to.profile(person._id))
  const refused = url.searchParams.get('refused')
  return { profile, secondFactor, ownPasskeys, ownIdentities, ways, copy, refused }
}) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_, { t }) => ({
  title: t('accountTitle'),
  hidden: true,
})
