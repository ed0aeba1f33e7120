import { description } from '#contract/description.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { outline } from '#web/info/openapi-outline.ts'

export { default as Page } from '#web/info/ApiDocsPage.tsx'

/** Only what the page shows travels: the document itself is many times larger. */
export const loader = (async ({ api }) => ({
  nouns: outline(await api(description.openapi, {})),
})) satisfies Loader<unknown>

/** Title and description for search engines. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_, { t }) => ({
  title: t('docsTitle'),
  description: t('docsDescription'),
})
