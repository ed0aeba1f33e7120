import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/people/accounts/UndoPage.tsx'

/** An empty token counts as an invalid link. */
export const loader = (async ({ url }) => ({
  token: url.searchParams.get('token') ?? '',
})) satisfies Loader<unknown>

/** Hidden because the URL contains a secret. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_, { t }) => ({
  title: t('undoTitle'),
  hidden: true,
})
