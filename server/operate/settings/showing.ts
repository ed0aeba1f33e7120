import { SETTING_NAMES, type settings, type SettingState } from '#contract/settings.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { resolveSettings } from '#server/kernel/settings/site-settings.ts'
import { readStoredSettings } from '#server/platform/core/settings.ts'
import type { Core } from '#server/platform/core/core.ts'

/** Reads from the primary, so that an administrator sees every change that was saved. */
export async function showSettings({
  db,
  config,
}: Pick<Core, 'db' | 'config'>): Promise<AnswerOf<typeof settings.show>> {
  const { version, texts: stored } = await readStoredSettings(db)
  const { settings: resolved, rejected } = resolveSettings(config.settings, stored)
  const stateOf = (name: SettingState['name']): SettingState => {
    const given = config.settings[name]
    const kept = name in rejected ? undefined : stored[name]
    const text = given ?? (typeof kept === 'string' ? kept : '')
    return {
      name,
      text: name === 'SITE_LOGO' ? (resolved.logo?.path ?? '') : text,
      source: given !== undefined ? 'environment' : text === '' ? 'default' : 'page',
      rejected: rejected[name] ?? null,
    }
  }
  return { version, settings: SETTING_NAMES.map(stateOf) }
}
