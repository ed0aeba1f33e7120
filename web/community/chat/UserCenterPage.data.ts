import { chat } from '#contract/chat.ts'
import { SEARCH_LENGTH } from '#contract/limits.ts'
import { profiles } from '#contract/profiles.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'

export { default as Page } from '#web/community/chat/UserCenterPage.tsx'

/** Returns 1 for anything that is not a page number. */
function pageIn(query: URLSearchParams, name: string): number {
  const given = query.get(name) ?? ''
  return /^[1-9]\d{0,3}$/.test(given) ? Number(given) : 1
}

/** If a search finds nobody, everybody is listed instead. A page beyond the end redirects to the first one. */
export const loader = (async ({ api, url }) => {
  const search = (url.searchParams.get('search') ?? '').trim().slice(0, SEARCH_LENGTH)
  const page = pageIn(url.searchParams, 'page')
  const contactsPage = pageIn(url.searchParams, 'contacts')
  const [contacts, found] = await Promise.all([
    api(chat.contacts, { page: contactsPage }),
    api(profiles.all, { search, page }),
  ])
  // Somebody may have been deleted since this link was made.
  if (page > 1 && found.length === 0) throw leave(to.userCenter({ search }))
  if (contactsPage > 1 && contacts.length === 0) throw leave(to.userCenter({ search, page }))
  const nobody = found.length === 0
  const people = nobody ? await api(profiles.all, { search: '', page }) : found
  return { contacts, contactsPage, people, page, search, nobody }
}) satisfies Loader<unknown>

/** Hidden because the page differs for each person. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_data, { t }) => ({
  title: t('userCenterTitle'),
  hidden: true,
})
