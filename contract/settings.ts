/**
 * Settings that administrators change on a page. Everything about a setting follows from its line in SETTINGS: the
 * stored text, the field on the page, the environment variable, the line of `--help` and the row in
 * docs/operations.md.
 */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Nothing, Picture } from '#contract/fields.ts'
import {
  LANGUAGE_SETTINGS,
  type LanguageSettingName,
  type Setting,
} from '#contract/language-settings.ts'
import type { MessageValues } from '#contract/message.ts'
import { DEFAULT_LOCALE, LANGUAGES, type MessageKey } from '#contract/messages/messages.ts'
import { colour, domains, door, line, logo, tick, whole, words } from '#contract/setting-kinds.ts'

const NAME_SETTINGS = {
  SITE_NAME: {
    section: 'site',
    kind: 'text',
    schema: line,
    fallback: null,
    shown: 'Knowledge Bazaar',
    label: 'settingName',
    help: 'settingNameHelp',
  },
  SITE_TAGLINE: {
    section: 'site',
    kind: 'text',
    schema: line,
    fallback: null,
    shown: 'Knowledge is free, but it has to be earned.',
    label: 'settingTagline',
    help: 'settingTaglineHelp',
  },
} as const satisfies Readonly<Record<string, Setting>>

const OTHER_SETTINGS = {
  SITE_ACCENT: {
    section: 'site',
    kind: 'colour',
    schema: colour('light'),
    fallback: null,
    shown: '#0e5f49',
    label: 'settingAccent',
    help: 'settingAccentHelp',
  },
  SITE_ACCENT_DARK: {
    section: 'site',
    kind: 'colour',
    schema: colour('dark'),
    fallback: null,
    shown: '#7fd0b0',
    label: 'settingAccentDark',
    help: 'settingAccentDarkHelp',
  },
  SITE_LOGO: {
    section: 'site',
    kind: 'picture',
    schema: logo,
    fallback: null,
    shown: '–',
    label: 'settingLogo',
    help: 'settingLogoHelp',
  },
  REGISTRATION: {
    section: 'door',
    kind: 'door',
    schema: door,
    fallback: 'open',
    shown: 'open',
    label: 'settingDoor',
    help: 'settingDoorHelp',
  },
  REGISTRATION_DOMAINS: {
    section: 'door',
    kind: 'words',
    schema: domains,
    fallback: [],
    shown: '–',
    label: 'settingDomains',
    help: 'settingDomainsHelp',
  },
  INVITATIONS_BY_ALL: {
    section: 'door',
    kind: 'tick',
    schema: tick,
    fallback: false,
    shown: '0',
    label: 'settingInvitations',
    help: 'settingInvitationsHelp',
  },
  WELCOME_POINTS: {
    section: 'points',
    kind: 'number',
    schema: whole(1_000_000),
    fallback: 0,
    shown: '0',
    label: 'settingWelcome',
    help: 'settingWelcomeHelp',
  },
  AUTHOR_SHARE: {
    section: 'points',
    kind: 'number',
    schema: whole(50),
    fallback: 10,
    shown: '10',
    label: 'settingShare',
    help: 'settingShareHelp',
  },
  DAILY_REWARD_LIMIT: {
    section: 'points',
    kind: 'number',
    schema: whole(10_000),
    fallback: 10,
    shown: '10',
    label: 'settingDaily',
    help: 'settingDailyHelp',
  },
  LESSON_ON_TRUST: {
    section: 'points',
    kind: 'tick',
    schema: tick,
    fallback: false,
    shown: '0',
    label: 'settingTrust',
    help: 'settingTrustHelp',
  },
  TITLE_WORDS: {
    section: 'titles',
    kind: 'words',
    schema: words,
    fallback: [],
    shown: '–',
    label: 'settingWords',
    help: 'settingWordsHelp',
  },
} as const satisfies Readonly<Record<string, Setting>>

type Fixed = typeof NAME_SETTINGS & typeof OTHER_SETTINGS
export type SettingName = keyof Fixed | LanguageSettingName
export type SettingValues = {
  readonly [Name in keyof Fixed]:
    | z.output<Fixed[Name]['schema']>
    | (Fixed[Name]['fallback'] extends null ? null : never)
} & { readonly [Name in LanguageSettingName]: string | null }

const SETTINGS: Readonly<Record<string, Setting>> = {
  ...NAME_SETTINGS,
  ...Object.fromEntries(LANGUAGE_SETTINGS),
  ...OTHER_SETTINGS,
}
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[]
export const isSettingName = (name: string): name is SettingName => Object.hasOwn(SETTINGS, name)

/** Throws for the name of a language that doesn't exist. */
export function settingOf(name: SettingName): Setting {
  const setting = SETTINGS[name]
  if (setting === undefined) throw new RangeError(`there is no setting "${name}"`)
  return setting
}

/** The key and values of a setting's label. */
export function labelOf(name: SettingName): [MessageKey, MessageValues] {
  const { label, language } = settingOf(name)
  return [label, { language: LANGUAGES[language ?? DEFAULT_LOCALE]?.name ?? '' }]
}

/** Returns a packed message for a text that is refused, or null. An empty text means the default. */
export function settingProblem(name: SettingName, text: string): string | null {
  if (text === '') return null
  return settingOf(name).schema.safeParse(text).error?.issues[0]?.message ?? null
}

/** Texts by setting; an empty one means the default. */
export type SettingTexts = Record<string, string>

const textOf = (name: SettingName) =>
  z.string().check(({ value, issues }) => {
    const problem = settingProblem(name, value)
    if (problem !== null) issues.push({ code: 'custom', input: value, message: problem })
  })

/** The fields of the page's form. */
export const SettingsForm: z.ZodMiniType<unknown, SettingTexts> = z.object(
  Object.fromEntries(SETTING_NAMES.map((name) => [name, textOf(name)])),
)

export const SettingState = z.object({
  name: z.enum(SETTING_NAMES),
  /** The text that applies, empty for the default. A picture is its path. */
  text: z.string(),
  source: z.enum(['environment', 'page', 'default']),
  /** A stored text that this version doesn't accept; the default applies. */
  rejected: z.nullable(z.string()),
})
export type SettingState = z.infer<typeof SettingState>

const Answer = z.object({ version: z.number(), settings: z.array(SettingState) })
const Version = z.union(
  [z.int(), z.pipe(z.string().check(z.regex(/^\d{1,15}$/)), z.transform(Number))],
  {
    error: 'invalidInput',
  },
)

export const settings = endpoints({
  show: {
    methods: ['GET'],
    path: '/admin/settings',
    access: 'administrator',
    scope: 'admin',
    input: Nothing,
    answer: Answer,
    summary: 'The settings of the site, where each comes from, and their version',
  },
  edit: {
    methods: ['PUT'],
    path: '/admin/settings',
    access: 'administrator',
    scope: 'admin',
    input: z.object({
      version: Version,
      texts: z.partialRecord(
        z.enum(SETTING_NAMES, { error: 'invalidInput' }),
        z.string({ error: 'invalidInput' }).check(z.maxLength(50_000, { error: 'invalidInput' })),
      ),
    }),
    answer: Answer,
    summary:
      'Change settings by name; an empty text restores the default; 409 if `version` is not the stored one',
  },
  logo: {
    methods: ['POST'],
    path: '/admin/settings/logo',
    access: 'administrator',
    scope: 'admin',
    form: true,
    input: z.object({ version: Version, image: Picture }),
    answer: Answer,
    summary: 'Show a picture in place of the logo; 409 if `version` is not the stored one',
  },
})
