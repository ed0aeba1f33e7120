import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/accounts/ForgotPage.tsx'

/** Whether the form was sent. */
export const loader = (async ({ url }) => ({
  isSent: url.searchParams.has('sent'),
})) satisfies Loader<unknown>

/** Hidden from search engines: the page is of use only to people who come from the login. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_, { t }) => ({
  title: t('forgotTitle'),
  hidden: true,
})
