/** Combines the environment, what is stored and the defaults. The environment wins. */
import { createHash } from 'node:crypto'
import {
  SETTING_NAMES,
  SETTINGS,
  settingProblem,
  type SettingName,
  type SettingValues,
} from '#contract/settings.ts'
import type { SiteNames } from '#contract/site.ts'
import { ConfigError } from '#server/kernel/settings/config-error.ts'
import { translate, translatePacked } from '#server/kernel/text/messages.ts'

/** Texts by name. */
export type GivenSettings = Readonly<Partial<Record<SettingName, string>>>

/** A snapshot: it never changes, so a transaction that reads it once sees one state. */
export interface Settings extends SettingValues {
  readonly names: SiteNames
  readonly logo: Logo | null
}

/** Some settings at the time of reading. Read `current` once for each transaction. */
export interface Current<Name extends keyof Settings> {
  readonly current: Pick<Settings, Name>
}

export interface Logo {
  readonly path: string
  readonly content: Buffer
}

/** Reads settings from the environment. Empty texts count as absent. @throws ConfigError */
export function readGivenSettings(
  environment: Readonly<Record<string, string | undefined>>,
): GivenSettings {
  const given: Partial<Record<SettingName, string>> = {}
  for (const name of SETTING_NAMES) {
    const text = environment[name] ?? ''
    if (text === '') continue
    const problem = settingProblem(name, text)
    if (problem !== null)
      throw new ConfigError(`${name} is "${text.slice(0, 200)}": ${translatePacked('en', problem)}`)
    given[name] = text
  }
  return given
}

export interface Resolved {
  readonly settings: Settings
  /** Stored texts that this version doesn't accept. Their defaults apply. */
  readonly rejected: GivenSettings
}

/** Unknown names are ignored, because another version may have stored them. */
export function resolveSettings(
  given: GivenSettings,
  stored: Readonly<Record<string, unknown>> = {},
): Resolved {
  const values: Record<string, unknown> = {}
  const rejected: Partial<Record<SettingName, string>> = {}
  for (const name of SETTING_NAMES) {
    const { schema, fallback } = SETTINGS[name]
    const text = given[name] ?? stored[name]
    const parsed = text === undefined ? undefined : schema.safeParse(text)
    values[name] = parsed?.success === true ? parsed.data : fallback
    if (parsed?.success === false) rejected[name] = String(text)
  }
  const read = values as unknown as SettingValues
  const settings = { ...read, names: namesOf(read), logo: logoOf(read.SITE_LOGO) }
  return { settings: Object.freeze(settings), rejected }
}

const DEFAULTS = {
  en: { site: 'Knowledge Bazaar', tagline: 'Knowledge is free, but it has to be earned.' },
  bg: { site: 'Базар на знания', tagline: 'Знанието е безплатно, но трябва да се заслужи.' },
}

/** A name given only in English is used for both languages. */
function namesOf(values: SettingValues): SiteNames {
  const { SITE_NAME: name, SITE_TAGLINE: tagline } = values
  return {
    en: { site: name ?? DEFAULTS.en.site, tagline: tagline ?? DEFAULTS.en.tagline },
    bg: {
      site: values.SITE_NAME_BG ?? name ?? DEFAULTS.bg.site,
      tagline: values.SITE_TAGLINE_BG ?? tagline ?? DEFAULTS.bg.tagline,
    },
  }
}

/** The path contains a hash of the picture, so browsers may keep it for ever. */
function logoOf(dataUrl: string | null): Logo | null {
  if (dataUrl === null) return null
  const content = Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64')
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
  return { path: `/logo/${hash}.webp`, content }
}

/** Rows for `--help`: name, default, meaning. */
export const settingRows = (): readonly (readonly [string, string, string])[] =>
  SETTING_NAMES.map((name) => {
    const { kind, shown, help, ...more } = SETTINGS[name]
    const fallback = 'orElse' in more ? `${more.orElse}, else ${shown}` : shown
    return [name, fallback, `${kind === 'tick' ? '1: ' : ''}${translate('en', help)}`]
  })
