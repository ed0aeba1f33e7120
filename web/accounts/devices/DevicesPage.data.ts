import { sessions } from '#contract/sessions.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/accounts/devices/DevicesPage.tsx'

/** Where the signed-in person is signed in. */
export const loader = (async ({ api }) => ({
  devices: await api(sessions.list, {}),
})) satisfies Loader<unknown>

/** Hidden from search engines: the page shows each person something else. */
export const head: HeadOf<unknown> = (_, { t }) => ({ title: t('devicesTitle'), hidden: true })
