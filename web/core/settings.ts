import { createContext, useContext } from 'react'
import type { SiteNames } from '#contract/site.ts'

/** What the configuration says and pages show. */
export interface Settings {
  /** Of links that leave the page: canonical addresses, sharing. */
  readonly origin: string
  /** By language, of which the reader may take another without a new page. */
  readonly names: SiteNames
  readonly mail: string
  readonly social: string
  /** Of the copyright line; fixed with the page, so that a year's turn can't break its hydration. */
  readonly year: number
}

/** Until the page's own are given. */
const NAMELESS: SiteNames = { en: { site: '', tagline: '' }, bg: { site: '', tagline: '' } }

export const SettingsContext = createContext<Settings>({
  origin: '',
  names: NAMELESS,
  mail: '',
  social: '',
  year: 2026,
})
export const useSettings = (): Settings => useContext(SettingsContext)
