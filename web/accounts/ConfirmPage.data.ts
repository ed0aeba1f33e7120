import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/accounts/ConfirmPage.tsx'

/** The token of the mail's link; empty when the address has none, which the page treats as a dead link. */
export const loader = (async ({ url }) => ({
  token: url.searchParams.get('token') ?? '',
})) satisfies Loader<unknown>

/** Hidden from search engines: the address carries a secret. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_, { t }) => ({
  title: t('confirmTitle'),
  hidden: true,
})
