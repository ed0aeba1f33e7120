/**
 * Languages and keys of texts. Each language has three catalogues: for readers, for moderation and account pages
 * (`desk`), and for texts that only the server writes (`server`).
 */
import type enDesk from './en.desk.json'
import type en from './en.json'
import type enServer from './en.server.json'

export type MessageKey = keyof typeof en | keyof typeof enDesk | keyof typeof enServer
export const LOCALES = ['en', 'bg'] as const
export type Locale = (typeof LOCALES)[number]
export const DEFAULT_LOCALE: Locale = 'en'

/** `tag` formats dates and numbers. Names of languages are written in the language itself. */
export const LANGUAGES = {
  en: { name: 'English', tag: 'en-GB' },
  bg: { name: 'Български', tag: 'bg-BG' },
} as const satisfies Record<Locale, { readonly name: string; readonly tag: string }>

export const isLocale = (value: unknown): value is Locale =>
  LOCALES.some((known) => known === value)

/** Returns the default for anything that isn't a locale. */
export const localeOf = (value: unknown): Locale => (isLocale(value) ? value : DEFAULT_LOCALE)
