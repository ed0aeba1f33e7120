import { nextPath } from '#contract/next-path.ts'
import { waysIn } from '#contract/ways-in.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { inLanguageOf, to } from '#web/core/paths.ts'

export { default as Page } from '#web/accounts/LoginPage.tsx'

/**
 * Where the person goes on to after the form, what a form without script did, the ways in, and why another site let
 * nobody in.
 */
export const loader = (async ({ api, url }) => ({
  next: inLanguageOf(url, nextPath(url.searchParams.get('next'))),
  // A form without script has signed in, yet a guest is asking: the cookie did not come back.
  cookieLost: url.searchParams.get('signed') === 'in',
  isReset: url.searchParams.has('reset'),
  refused: url.searchParams.get('refused'),
  ways: await api(waysIn.show, {}),
})) satisfies Loader<unknown>

/** One canonical address, whatever page the person is to return to. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_, { t }) => ({
  title: t('loginTitle'),
  description: t('loginDescription'),
  canonical: to.login(),
})
