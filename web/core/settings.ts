import { createContext, useContext } from 'react'

/** What the configuration says and pages show. */
export interface Settings {
  /** Of links that leave the page: canonical addresses, sharing. */
  readonly origin: string
  readonly mail: string
  readonly social: string
  /** Of the copyright line; fixed with the page, so that a year's turn can't break its hydration. */
  readonly year: number
}

export const SettingsContext = createContext<Settings>({
  origin: '',
  mail: '',
  social: '',
  year: 2026,
})
export const useSettings = (): Settings => useContext(SettingsContext)
