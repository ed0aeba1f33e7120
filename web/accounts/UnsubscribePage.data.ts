import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/accounts/UnsubscribePage.tsx'

/** Opening the link changes nothing: mail programs open links ahead of their readers. */
export const loader = (async ({ url }) => ({
  token: url.searchParams.get('token'),
  done: url.searchParams.has('done'),
})) satisfies Loader<unknown>

/** Hidden from search engines: the address carries a secret. */
export const head: HeadOf<unknown> = (_, { t }) => ({ title: t('unsubscribeTitle'), hidden: true })
