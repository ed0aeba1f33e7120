import { data } from 'react-router'
import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/layout/NotFoundPage.tsx'

/** Matches all other paths. */
export const loader: Loader<null> = () => {
  throw data({}, { status: 404 })
}

export const head: HeadOf<null> = (_, { t }) => ({ title: t('notFoundTitle'), hidden: true })
