import { accessTokens } from '#contract/access-tokens.ts'
import { factors } from '#contract/factors.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/people/accounts/access-tokens/TokensPage.tsx'

export const loader = (async ({ api }) => {
  const [tokens, { hasPassword }] = await Promise.all([
    api(accessTokens.list, {}),
    api(factors.show, {}),
  ])
  return { tokens, hasPassword }
}) satisfies Loader<unknown>

export const head: HeadOf<unknown> = (_, { t }) => ({ title: t('tokensTitle'), hidden: true })
