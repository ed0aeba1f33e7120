import { isOwnProfile, profiles } from '#contract/profiles.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'

export const loader = (async ({ api, person, url }) => {
  if (person === null) throw leave(to.login(url.pathname))
  const profile = await api(profiles.show, { id: person._id })
  // Another tab signed in as somebody else.
  if (!isOwnProfile(profile)) throw leave(to.profile(person._id))
  return { profile }
}) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_, { t }) => ({
  title: t('accountTitle'),
  hidden: true,
})
