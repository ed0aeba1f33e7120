import { createContext, useContext } from 'react'
import type { Settings } from '#contract/render.ts'
import type { SiteNames } from '#contract/site.ts'
import type { Origins } from '#web/core/page.ts'

/** Until the page's own are given. */
const NAMELESS: SiteNames = { en: { site: '', tagline: '' }, bg: { site: '', tagline: '' } }

/** What the configuration says; the page's data give it. */
export const SettingsContext = createContext<Settings>({
  origin: '',
  names: NAMELESS,
  mail: '',
  social: '',
  authorShare: 0,
  offlineReading: false,
  year: 2026,
})
/** The settings, where a component shows them. */
export const useSettings = (): Settings => useContext(SettingsContext)

/** The origins of whole addresses: that of links, and that of pictures where it is another. */
export const originsOf = ({ origin, pictureOrigin = origin }: Settings): Origins => ({
  site: origin,
  pictures: pictureOrigin,
})
