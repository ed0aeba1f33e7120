import { numbers } from '#contract/desk.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { fetchDeskCounts } from '#web/operate/desk/desk-counts.ts'

export { default as Page } from '#web/operate/numbers/NumbersPage.tsx'

export const loader = (async ({ api }) => {
  const [shown, counts] = await Promise.all([api(numbers.show, {}), fetchDeskCounts(api)])
  return { ...shown, counts }
}) satisfies Loader<unknown>

export const head: HeadOf<unknown> = (_, { t }) => ({ title: t('deskNumbers'), hidden: true })
