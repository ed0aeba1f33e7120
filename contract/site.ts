/** What the site is called, in each language; it comes from the configuration and stands in no catalogue. */
import type { Locale } from '#contract/messages/messages.ts'

/** Values that every text may take: `{site}` and `{tagline}`. */
export type SiteName = { readonly site: string; readonly tagline: string }
export type SiteNames = Readonly<Record<Locale, SiteName>>

/** What the file of a person's data is called: the name in small Latin letters, digits and dashes. */
export function archiveName(site: string, ending: 'json' | 'zip' = 'json'): string {
  const plain = site.normalize('NFKD').toLowerCase()
  const words = plain.match(/[a-z0-9]+/g)
  return `${words?.join('-') ?? 'data'}.${ending}`
}

/** The cloth of the stall: what surrounds a page, in a browser's bar and in a window of an installed site. */
export const STALL = '#103b30'
