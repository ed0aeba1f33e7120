/** The name of the site in each language. It comes from the configuration, not from the catalogues. */
import type { Locale } from '#contract/messages/messages.ts'

/** Values available to every text: `{site}` and `{tagline}`. */
export type SiteName = { readonly site: string; readonly tagline: string }
export type SiteNames = { readonly en: SiteName; readonly [locale: Locale]: SiteName }

export const siteNameIn = (names: SiteNames, locale: Locale): SiteName => names[locale] ?? names.en

/** File name of a data export: the site's name in lower-case Latin letters, digits and dashes. */
export function archiveName(site: string, ending: 'json' | 'zip' = 'json'): string {
  const plain = site.normalize('NFKD').toLowerCase()
  const words = plain.match(/[a-z0-9]+/g)
  return `${words?.join('-') ?? 'data'}.${ending}`
}

/** The colour around a page, in the browser's toolbar and in the window of the installed site. */
export const STALL = '#103b30'
