import { Page } from '#contract/fields.ts'
import { mail, MailState } from '#contract/mail.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { searchIn } from '#web/operate/desk/search-in.ts'
import { fetchDeskCounts } from '#web/operate/desk/desk-counts.ts'

export { default as Page } from '#web/operate/failures/MailsPage.tsx'

export const loader = (async ({ url, api }) => {
  const state = MailState.safeParse(url.searchParams.get('state')).data ?? 'failed'
  const page = Page.safeParse(url.searchParams.get('page')).data ?? 1
  const search = searchIn(url)
  const [outbox, counts] = await Promise.all([
    api(mail.outbox, { state, page, search }),
    fetchDeskCounts(api),
  ])
  return { outbox, state, search, page, counts }
}) satisfies Loader<unknown>

export const head: HeadOf<unknown> = (_, { t }) => ({
  title: t('deskMails'),
  canonical: to.mails(),
  hidden: true,
})
