import { nextPath } from '#contract/next-path.ts'
import { waysIn } from '#contract/ways-in.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { inLanguageOf, to } from '#web/core/paths.ts'

export { default as Page } from '#web/people/accounts/RegisterPage.tsx'

/** The token of the link by which somebody came. */
function invitationIn(url: URL): { readonly invitation?: string } {
  const invitation = url.searchParams.get('invitation')?.slice(0, 100) ?? ''
  return invitation === '' ? {} : { invitation }
}

export const loader = (async ({ api, url }) => ({
  next: inLanguageOf(url, nextPath(url.searchParams.get('next'))),
  // The form posted without JavaScript has signed the user in, but the browser did not send the cookie back.
  cookieLost: url.searchParams.get('signed') === 'in',
  ways: await api(waysIn.show, invitationIn(url)),
  ...invitationIn(url),
})) satisfies Loader<unknown>

/** Without `next`, so that search engines see one URL. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_, { t }) => ({
  title: t('registerTitle'),
  description: t('registerDescription'),
  canonical: to.register(),
})
