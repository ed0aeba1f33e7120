import { accessTokens } from '#contract/access-tokens.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/accounts/access-tokens/TokensPage.tsx'

/** The signed-in person's access tokens, without their secrets. */
export const loader = (async ({ api }) => ({
  tokens: await api(accessTokens.list, {}),
})) satisfies Loader<unknown>

/** Hidden from search engines: the page shows each person something else. */
export const head: HeadOf<unknown> = (_, { t }) => ({ title: t('tokensTitle'), hidden: true })
