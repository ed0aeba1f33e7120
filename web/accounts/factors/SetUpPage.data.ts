import { factors } from '#contract/factors.ts'
import { nextPath } from '#contract/next-path.ts'
import { passkeys } from '#contract/passkeys.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'

export { default as Page } from '#web/accounts/factors/SetUpPage.tsx'

/**
 * What the sign-in of somebody asks for who must have a second factor here.
 * @throws a redirect to where they were going: of whom none is demanded, and who has set one up
 */
export const loader = (async ({ api, person, url }) => {
  const [secondFactor, ownPasskeys] = await Promise.all([
    api(factors.show, {}),
    api(passkeys.list, {}),
  ])
  const isOver = secondFactor.demandedOf !== 'all' || secondFactor.since !== null
  // A session that was answered before is renewed by the page first.
  if (isOver && person?.factorless !== true) throw leave(nextPath(url.searchParams.get('next')))
  return { secondFactor, ownPasskeys, isOver }
}) satisfies Loader<unknown>

/** Hidden from search engines: the page is for one person. */
export const head: HeadOf<unknown> = (_, { t }) => ({ title: t('factorSetUpTitle'), hidden: true })
