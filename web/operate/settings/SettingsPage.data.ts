import { settings } from '#contract/settings.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { fetchDeskCounts } from '#web/operate/desk/desk-counts.ts'

export { default as Page } from '#web/operate/settings/SettingsPage.tsx'

export const loader = (async ({ api }) => {
  const [stored, counts] = await Promise.all([api(settings.show, {}), fetchDeskCounts(api)])
  return { ...stored, counts }
}) satisfies Loader<unknown>

export const head: HeadOf<unknown> = (_, { t }) => ({
  title: t('deskSettings'),
  canonical: to.settings(),
  hidden: true,
})
