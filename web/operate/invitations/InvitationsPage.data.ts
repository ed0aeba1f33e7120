import { invitations } from '#contract/invitations.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { pageNumber } from '#web/layout/paging/page-number.ts'
import { fetchDeskCounts } from '#web/operate/desk/desk-counts.ts'

export { default as Page } from '#web/operate/invitations/InvitationsPage.tsx'

export const loader = (async ({ url, api }) => {
  const page = pageNumber(url)
  const [list, counts] = await Promise.all([api(invitations.all, { page }), fetchDeskCounts(api)])
  return { list, page, counts }
}) satisfies Loader<unknown>

export const head: HeadOf<unknown> = (_, { t }) => ({
  title: t('deskInvitations'),
  canonical: to.invitations(),
  hidden: true,
})
