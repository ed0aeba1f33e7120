/**
 * Languages and keys of texts. Each language has three catalogues: for readers, for moderation and account pages
 * (`desk`), and for texts that only the server writes (`server`).
 */
import type enDesk from './en.desk.json'
import type en from './en.json'
import type enServer from './en.server.json'

export type MessageKey = keyof typeof en | keyof typeof enDesk | keyof typeof enServer
export type Locale = 'en' | 'bg'
export const LOCALES: readonly Locale[] = ['en', 'bg']
export const DEFAULT_LOCALE: Locale = 'en'
