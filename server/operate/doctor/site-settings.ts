/** Reports stored settings that this version doesn't accept, whose defaults apply. */
import type { Db } from '#server/platform/db/connect.ts'
import { readStoredSettings } from '#server/platform/core/settings.ts'
import type { Config } from '#server/kernel/config.ts'
import { resolveSettings } from '#server/kernel/settings/site-settings.ts'
import { note, ok, type Finding } from '#server/operate/doctor/finding.ts'

export async function examineSiteSettings(
  db: Db,
  config: Pick<Config, 'settings'>,
): Promise<Finding> {
  const { texts } = await readStoredSettings(db)
  const names = Object.keys(resolveSettings(config.settings, texts).rejected)
  return names.length === 0
    ? ok('site settings', `${Object.keys(texts).length} changed on the page /admin/settings`)
    : note(
        'site settings',
        `this version does not accept what is stored for ${names.join(', ')}, so the defaults apply. Set them anew on the page /admin/settings.`,
      )
}
