/**
 * The languages and the keys of their texts. There are three catalogues per language: for readers, for the desk and the
 * account (`desk`), and for what only the server writes (`server`).
 */
import type enDesk from './en.desk.json'
import type en from './en.json'
import type enServer from './en.server.json'

export type MessageKey = keyof typeof en | keyof typeof enDesk | keyof typeof enServer
export type Locale = 'en' | 'bg'
export const LOCALES: readonly Locale[] = ['en', 'bg']
export const DEFAULT_LOCALE: Locale = 'en'
