import { Page } from '#contract/fields.ts'
import { mail } from '#contract/mail.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { searchIn } from '#web/operate/desk/search-in.ts'
import { fetchDeskCounts } from '#web/operate/desk/desk-counts.ts'

export { default as Page } from '#web/operate/moderation/BugsPage.tsx'

export const loader = (async ({ url, api }) => {
  const done = url.searchParams.get('show') === 'done'
  const page = Page.safeParse(url.searchParams.get('page')).data ?? 1
  const search = searchIn(url)
  const [bugs, counts] = await Promise.all([
    api(mail.bugs, { page, done, search }),
    fetchDeskCounts(api),
  ])
  return { bugs, done, search, page, counts }
}) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_, { t }) => ({
  title: t('deskBugs'),
  canonical: to.bugs(),
  hidden: true,
})
