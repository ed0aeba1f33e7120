/** Changing the language without losing the place: cookie, catalogue, data. */
import { type I18n } from '@lingui/core'
import { createContext, useContext } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import type { Locale } from '#contract/messages/messages.ts'
import { pathOf } from '#contract/next-path.ts'
import { activate, createI18n } from '#web/core/i18n.tsx'
import { loadMessages } from '#web/core/messages/messages.ts'
import { useSettings } from '#web/core/settings.ts'

/** Given by the browser's entry; on the server nothing changes. */
export const SetI18n = createContext<(i18n: I18n) => void>(() => {})

const YEAR = 365 * 24 * 60 * 60

/**
 * A function that switches the language: it sets the cookie, loads the catalogue, and fetches the data again where the
 * server words it. It rejects when the catalogue cannot be loaded; the language then stays.
 */
export function useLocaleSwitch(): (locale: Locale) => Promise<void> {
  const setI18n = useContext(SetI18n)
  const { revalidate } = useRevalidator()
  const navigate = useNavigate()
  const { names } = useSettings()
  return async (locale) => {
    // The names that the server gives it, server/pages/pages.ts.
    const [name, secure] =
      window.location.protocol === 'https:' ? ['__Host-lang', '; Secure'] : ['lang', '']
    document.cookie = `${name}=${locale}; Path=/; Max-Age=${YEAR}; SameSite=Lax${secure}`
    const i18n = createI18n(locale, await loadMessages(locale), names)
    document.documentElement.lang = locale
    activate(i18n)
    setI18n(i18n)
    const url = new URL(window.location.href)
    // A language in the address beats the cookie, so it changes too.
    if (!url.searchParams.has('lang')) return revalidate()
    url.searchParams.set('lang', locale)
    await navigate(pathOf(url), { replace: true })
  }
}
