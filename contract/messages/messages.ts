/**
 * Languages and keys of texts. A language is one file in this folder. Its texts are in sections: for everybody
 * (`readers`), for pages of people who are signed in (`members`), for moderation and account pages (`desk`), and for
 * texts that only the server writes (`server`).
 */
import { languages } from '#locales'
import type en from './en.json'

type English = typeof en
/** Sections that pages load. */
export type Section = 'readers' | 'members' | 'desk'
export type MessageKey = { [Name in Section | 'server']: keyof English[Name] }[Section | 'server']
/** The name of a file in this folder, without its ending. */
export type Locale = string
export const DEFAULT_LOCALE: Locale = 'en'
export const LANGUAGES = languages
export const LOCALES: readonly Locale[] = Object.keys(LANGUAGES)

export const isLocale = (value: unknown): value is Locale =>
  typeof value === 'string' && Object.hasOwn(LANGUAGES, value)

/** Returns the default for anything that isn't a locale. */
export const localeOf = (value: unknown): Locale => (isLocale(value) ? value : DEFAULT_LOCALE)

/** Returns the tag that formats dates and numbers. */
export const tagOf = (locale: Locale): string => LANGUAGES[locale]?.tag ?? locale
