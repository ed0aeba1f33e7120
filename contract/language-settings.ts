/** The parts of a setting's definition, and the settings that every language but English has. */
import type * as z from 'zod/mini'
import {
  DEFAULT_LOCALE,
  LOCALES,
  type Locale,
  type MessageKey,
} from '#contract/messages/messages.ts'
import { line } from '#contract/setting-kinds.ts'

export interface Setting {
  readonly section: 'site' | 'door' | 'points' | 'titles'
  readonly kind: 'text' | 'number' | 'tick' | 'door' | 'colour' | 'words' | 'picture'
  /** Reads a stored or configured text. */
  readonly schema: z.ZodMiniType<unknown, string>
  /** The value that applies without a text. */
  readonly fallback: unknown
  /** The fallback as text, for fields that are empty and for `--help`. */
  readonly shown: string
  /** The setting whose text applies before the fallback. */
  readonly orElse?: 'SITE_NAME' | 'SITE_TAGLINE'
  /** The language of the name. Absent for English. */
  readonly language?: Locale
  readonly label: MessageKey
  readonly help: MessageKey
}

export type LanguageSettingName = `SITE_NAME_${string}` | `SITE_TAGLINE_${string}`

/** The end of the names of a language's settings, such as `BG` or `PT_BR`. */
export const suffixOf = (locale: Locale): string => locale.toUpperCase().replaceAll('-', '_')

/** Names of the site in languages other than English. */
export const LANGUAGE_SETTINGS = LOCALES.filter((locale) => locale !== DEFAULT_LOCALE).flatMap(
  (language): readonly (readonly [LanguageSettingName, Setting])[] => {
    const common = {
      section: 'site',
      kind: 'text',
      schema: line,
      fallback: null,
      shown: '',
      language,
    } as const
    const suffix = suffixOf(language)
    return [
      [
        `SITE_NAME_${suffix}`,
        { ...common, orElse: 'SITE_NAME', label: 'settingNameIn', help: 'settingNameInHelp' },
      ],
      [
        `SITE_TAGLINE_${suffix}`,
        {
          ...common,
          orElse: 'SITE_TAGLINE',
          label: 'settingTaglineIn',
          help: 'settingTaglineInHelp',
        },
      ],
    ]
  },
)
