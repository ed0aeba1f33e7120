import type { HeadOf, Loader } from '#web/core/page.ts'
import { inLanguageOf, nextPath, to } from '#web/core/paths.ts'

export const loader = (async ({ url }) => ({
  next: inLanguageOf(url, nextPath(url.searchParams.get('next'))),
  // A form without script has signed in, yet a guest is asking: the cookie did not come back.
  unkept: url.searchParams.get('signed') === 'in',
})) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_, { t }) => ({
  title: t('registerTitle'),
  description: t('registerDescription'),
  canonical: to.register(),
})
