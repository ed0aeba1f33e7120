import { NotesQuery, notes } from '#contract/notes.ts'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import { readQuery } from '#contract/query.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/items/notes/NotesPage.tsx'

/** A page beyond the end shows the last one. */
export const loader = (async ({ url, api }) => {
  const { page: asked = 1, search } = readQuery(NotesQuery, url.searchParams)
  const found = await api(notes.all, { search, page: asked })
  const pages = Math.max(1, Math.ceil(found.total / ROWS_PER_PAGE))
  const page = Math.min(asked, pages)
  const { notes: listed, total } = page === asked ? found : await api(notes.all, { search, page })
  return { search, page, pages, total, notes: listed }
}) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_data, { t }) => ({
  title: t('notesYours'),
  hidden: true,
})
