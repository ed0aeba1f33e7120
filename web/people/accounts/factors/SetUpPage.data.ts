import { factors } from '#contract/factors.ts'
import { nextPath } from '#contract/next-path.ts'
import { passkeys } from '#contract/passkeys.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'

export { default as Page } from '#web/people/accounts/factors/SetUpPage.tsx'

/** Redirects people who need no second factor, or already have one, to their destination. */
export const loader = (async ({ api, person, url }) => {
  const [secondFactor, ownPasskeys] = await Promise.all([
    api(factors.show, {}),
    api(passkeys.list, {}),
  ])
  const isOver = secondFactor.demandedOf !== 'all' || secondFactor.since !== null
  // The page must first renew a session that still says the factor is missing.
  if (isOver && person?.factorless !== true) throw leave(nextPath(url.searchParams.get('next')))
  return { secondFactor, ownPasskeys, isOver }
}) satisfies Loader<unknown>

export const head: HeadOf<unknown> = (_, { t }) => ({ title: t('factorSetUpTitle'), hidden: true })
