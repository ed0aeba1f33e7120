import type { HeadOf, Loader } from '#web/core/page.ts'
import { fetchDeskCounts } from '#web/moderation/desk-counts.ts'

export const loader = (async ({ api }) => ({
  counts: await fetchDeskCounts(api),
})) satisfies Loader<unknown>

export const head: HeadOf<unknown> = (_, { t }) => ({ title: t('deskComments'), hidden: true })
