import { createContext, useContext } from 'react'
import type { Settings } from '#contract/render.ts'
import type { SiteNames } from '#contract/site.ts'
import type { Origins } from '#web/core/page.ts'

/** The default until the page's settings are provided. */
const NAMELESS: SiteNames = { en: { site: '', tagline: '' } }

/** Public configuration of the site, from the page's data. */
export const SettingsContext = createContext<Settings>({
  origin: '',
  names: NAMELESS,
  mail: '',
  social: '',
  authorShare: 0,
  offlineReading: false,
  year: 2026,
})
export const useSettings = (): Settings => useContext(SettingsContext)

/** Pictures may be served from another origin than the site. */
export const originsOf = ({ origin, pictureOrigin = origin }: Settings): Origins => ({
  site: origin,
  pictures: pictureOrigin,
})
