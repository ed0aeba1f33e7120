import { Id, Page as PageNumber } from '#contract/fields.ts'
import { webhooks } from '#contract/webhooks.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { fetchDeskCounts } from '#web/operate/desk/desk-counts.ts'

export { default as Page } from '#web/operate/webhooks/WebhooksPage.tsx'

export const loader = (async ({ url, api }) => {
  const of = Id.safeParse(url.searchParams.get('of')).data ?? null
  const page = PageNumber.safeParse(url.searchParams.get('page')).data ?? 1
  const [list, deliveries, counts] = await Promise.all([
    api(webhooks.list, {}),
    of === null ? [] : api(webhooks.deliveries, { id: of, page }),
    fetchDeskCounts(api),
  ])
  const shown = list.find(({ id }) => id === of) ?? null
  return { list, log: shown === null ? null : { of: shown, page, deliveries }, counts }
}) satisfies Loader<unknown>

export const head: HeadOf<unknown> = (_, { t }) => ({
  title: t('deskWebhooks'),
  canonical: to.webhooks(),
  hidden: true,
})
