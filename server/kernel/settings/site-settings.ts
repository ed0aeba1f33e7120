/** Combines the environment, what is stored and the defaults. The environment wins. */
import { createHash } from 'node:crypto'
import { suffixOf } from '#contract/language-settings.ts'
import { type Locale, LOCALES } from '#contract/messages/messages.ts'
import {
  SETTING_NAMES,
  settingOf,
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
  /** In all languages. */
  readonly names: SiteNames
  /** In English, and in languages whose catalogue has another name. */
  readonly ownNames: SiteNames
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
    const { schema, fallback } = settingOf(name)
    const text = given[name] ?? stored[name]
    const parsed = text === undefined ? undefined : schema.safeParse(text)
    values[name] = parsed?.success === true ? parsed.data : fallback
    if (parsed?.success === false) rejected[name] = String(text)
  }
  const read = values as unknown as SettingValues
  const names = namesOf(read)
  const settings = { ...read, names, ownNames: ownNamesOf(names), logo: logoOf(read.SITE_LOGO) }
  return { settings: Object.freeze(settings), rejected }
}

/** A name given only in English is used for all languages. Without one, each language has its own. */
function namesOf(values: SettingValues): SiteNames {
  const nameOf = (locale: Locale) => ({
    site:
      values[`SITE_NAME_${suffixOf(locale)}`] ?? values.SITE_NAME ?? translate(locale, 'siteName'),
    tagline:
      values[`SITE_TAGLINE_${suffixOf(locale)}`] ??
      values.SITE_TAGLINE ??
      translate(locale, 'siteTagline'),
  })
  const others = LOCALES.map((locale) => [locale, nameOf(locale)] as const)
  return { ...Object.fromEntries(others), en: nameOf('en') }
}

/** Leaves out the names of other languages that are in their catalogues, so that pages don't grow with the languages. */
const ownNamesOf = (names: SiteNames): SiteNames => ({
  ...Object.fromEntries(
    Object.entries(names).filter(
      ([locale, { site, tagline }]) =>
        site !== translate(locale, 'siteName') || tagline !== translate(locale, 'siteTagline'),
    ),
  ),
  en: names.en,
})

/** The path contains a hash of the picture, so browsers may keep it for ever. */
function logoOf(dataUrl: string | null): Logo | null {
  if (dataUrl === null) return null
  const content = Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64')
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
  return { path: `/logo/${hash}.webp`, content }
}

/** Rows for `--help`: name, default, meaning. One row for all languages. */
export const settingRows = (): readonly (readonly [string, string, string])[] => [
  ...new Map(
    SETTING_NAMES.map((name) => {
      const { kind, shown, help, orElse, language } = settingOf(name)
      const named = language === undefined ? name : `${orElse ?? name}_<LANGUAGE>`
      const given = shown === '' ? 'the language’s own' : shown
      const fallback = orElse === undefined ? given : `${orElse}, else ${given}`
      const meaning = `${kind === 'tick' ? '1: ' : ''}${translate('en', help)}`
      return [named, [named, fallback, meaning] as const]
    }),
  ).values(),
]
