import type { HeadOf, Loader } from '#web/core/page.ts'

export const loader = (async ({ url }) => ({
  token: url.searchParams.get('token') ?? '',
})) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_, { t }) => ({
  title: t('confirmTitle'),
  hidden: true,
})
