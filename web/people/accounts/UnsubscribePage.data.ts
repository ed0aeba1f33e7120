import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/people/accounts/UnsubscribePage.tsx'

/** Loading the page changes nothing, because mail programs open links on their own. */
export const loader = (async ({ url }) => ({
  token: url.searchParams.get('token'),
  done: url.searchParams.has('done'),
})) satisfies Loader<unknown>

/** Hidden because the URL contains a secret. */
export const head: HeadOf<unknown> = (_, { t }) => ({ title: t('unsubscribeTitle'), hidden: true })
