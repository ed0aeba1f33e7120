import { backups } from '#contract/backup.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { fetchDeskCounts } from '#web/operate/desk/desk-counts.ts'

export { default as Page } from '#web/operate/backup/BackupsPage.tsx'

export const loader = (async ({ api }) => {
  const [runs, counts] = await Promise.all([api(backups.last, {}), fetchDeskCounts(api)])
  return { ...runs, counts }
}) satisfies Loader<unknown>

export const head: HeadOf<unknown> = (_, { t }) => ({ title: t('deskBackups'), hidden: true })
