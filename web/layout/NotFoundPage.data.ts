import { data } from 'react-router'
import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/layout/NotFoundPage.tsx'

/** Any other path: the error page with status 404. */
export const loader: Loader<null> = () => {
  throw data({}, { status: 404 })
}

/** Hidden from search engines: the address leads nowhere. */
export const head: HeadOf<null> = (_, { t }) => ({ title: t('notFoundTitle'), hidden: true })
