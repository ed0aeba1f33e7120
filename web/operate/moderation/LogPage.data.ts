import { LogQuery, moderation } from '#contract/moderation.ts'
import { people } from '#contract/people.ts'
import { readQuery } from '#contract/query.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { fetchDeskCounts } from '#web/operate/desk/desk-counts.ts'

export { default as Page } from '#web/operate/moderation/LogPage.tsx'

export const loader = (async ({ url, api }) => {
  const query: LogQuery = readQuery(LogQuery, url.searchParams)
  const [entries, administrators, counts] = await Promise.all([
    api(moderation.log, query),
    api(people.list, { role: 'administrator' }),
    fetchDeskCounts(api),
  ])
  // Time limits for an undo are counted from the server's time.
  return { query, entries, administrators: administrators.people, counts, now: Date.now() }
}) satisfies Loader<unknown>

export const head: HeadOf<unknown> = (_, { t }) => ({ title: t('deskLog'), hidden: true })
