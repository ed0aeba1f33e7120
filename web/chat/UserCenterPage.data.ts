import { chat } from '#contract/chat.ts'
import { SEARCH_LENGTH } from '#contract/limits.ts'
import { profiles } from '#contract/profiles.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'

export { default as Page } from '#web/chat/UserCenterPage.tsx'

/** A page number of the address; what is none is the first. */
function pageIn(query: URLSearchParams, name: string): number {
  const given = query.get(name) ?? ''
  return /^[1-9]\d{0,3}$/.test(given) ? Number(given) : 1
}

/**
 * A page of contacts and a page of people, each with a page number of its own. When a search finds nobody, everybody is
 * listed instead.
 * @throws a redirect to the first page when a page beyond the end was asked for, for somebody may have been deleted
 * since the link was made
 */
export const loader = (async ({ api, url }) => {
  const search = (url.searchParams.get('search') ?? '').trim().slice(0, SEARCH_LENGTH)
  const page = pageIn(url.searchParams, 'page')
  const contactsPage = pageIn(url.searchParams, 'contacts')
  const [contacts, found] = await Promise.all([
    api(chat.contacts, { page: contactsPage }),
    api(profiles.all, { search, page }),
  ])
  // Somebody has been deleted since the link to this page was made.
  if (page > 1 && found.length === 0) throw leave(to.userCenter({ search }))
  if (contactsPage > 1 && contacts.length === 0) throw leave(to.userCenter({ search, page }))
  const nobody = found.length === 0
  const people = nobody ? await api(profiles.all, { search: '', page }) : found
  return { contacts, contactsPage, people, page, search, nobody }
}) satisfies Loader<unknown>

/** Hidden from search engines: the page shows each person something else. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_data, { t }) => ({
  title: t('userCenterTitle'),
  hidden: true,
})
