import { SETTINGS_WRITES_A_MINUTE } from '#contract/limits.ts'
import { settings } from '#contract/settings.ts'
import { route, type Route } from '#server/kernel/call.ts'
import { createRate } from '#server/kernel/limits/rates.ts'
import type { Core } from '#server/platform/core/core.ts'
import { editSettings, makeLogo } from '#server/operate/settings/editing.ts'
import { invitationRoutes } from '#server/operate/settings/invitations.ts'
import { showSettings } from '#server/operate/settings/showing.ts'

export function routes(core: Core): Route[] {
  const { config, events } = core
  const own = createRate(SETTINGS_WRITES_A_MINUTE.person, config)
  const all = createRate(SETTINGS_WRITES_A_MINUTE.all, config)
  const count = (personId: string) => {
    own.count(personId)
    all.count('everybody')
  }
  /** Shows the result once this process has applied it, and tells the others. */
  const announce = async () => {
    await core.settings.reload()
    events.publish({ type: 'settings.changed' })
    return showSettings(core)
  }
  return [
    ...invitationRoutes(core),
    route(settings.show, () => showSettings(core)),
    route(settings.edit, async ({ viewer }, { version, texts }) => {
      count(viewer.id)
      await editSettings(core, viewer, { version, texts })
      return announce()
    }),
    route(settings.logo, async ({ viewer }, { version, image }) => {
      count(viewer.id)
      await editSettings(core, viewer, { version, texts: { SITE_LOGO: await makeLogo(image) } })
      return announce()
    }),
  ]
}
