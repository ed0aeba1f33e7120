/** The catalogues. `en` is the list of keys; a key that bg lacks, or has too many, is a type error here. */
import bg from './bg.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }

export type MessageKey = keyof typeof en
export type Locale = 'en' | 'bg'
export const LOCALES: readonly Locale[] = ['en', 'bg']
export const DEFAULT_LOCALE: Locale = 'en'

type Catalogue = Readonly<Record<MessageKey, string>>
type Surplus = Exclude<keyof typeof bg, MessageKey>
const none: Surplus extends never ? true : Surplus = true

/** ICU message texts by locale. */
export const catalogues: Readonly<Record<Locale, Catalogue>> = none ? { en, bg } : { en, bg }
