import { description } from '#contract/description.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { outline } from '#web/info/openapi-outline.ts'

export { default as Page } from '#web/info/ApiDocsPage.tsx'

/** Sends only what the page shows, because the whole document is many times larger. */
export const loader = (async ({ api }) => ({
  nouns: outline(await api(description.openapi, {})),
})) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_, { t }) => ({
  title: t('docsTitle'),
  description: t('docsDescription'),
})
