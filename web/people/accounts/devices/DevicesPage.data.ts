import { sessions } from '#contract/sessions.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/people/accounts/devices/DevicesPage.tsx'

export const loader = (async ({ api }) => ({
  devices: await api(sessions.list, {}),
})) satisfies Loader<unknown>

export const head: HeadOf<unknown> = (_, { t }) => ({ title: t('devicesTitle'), hidden: true })
