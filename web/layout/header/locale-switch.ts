import { type I18n } from '@lingui/core'
import { createContext, useContext } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import type { Locale } from '#contract/messages/messages.ts'
import { pathOf } from '#contract/next-path.ts'
import { activate, createI18n } from '#web/core/i18n.tsx'
import { loadMessages } from '#web/core/messages/messages.ts'
import { tellLanguage } from '#web/core/offline/worker-client.ts'
import { useSettings } from '#web/core/settings.ts'

/** Provided by the browser's entry. Nothing changes the language on the server. */
export const SetI18n = createContext<(i18n: I18n) => void>(() => {})

const YEAR = 365 * 24 * 60 * 60

/**
 * Returns a function that switches the language: it sets the cookie, loads the catalogue and fetches texts that
 * the server translates again. It rejects, and keeps the language, when the catalogue can't be loaded.
 */
export function useLocaleSwitch(): (locale: Locale) => Promise<void> {
  const setI18n = useContext(SetI18n)
  const { revalidate } = useRevalidator()
  const navigate = useNavigate()
  const { names } = useSettings()
  return async (locale) => {
    // These cookie names must match server/pages/pages.ts.
    const [name, secure] =
      window.location.protocol === 'https:' ? ['__Host-lang', '; Secure'] : ['lang', '']
    document.cookie = `${name}=${locale}; Path=/; Max-Age=${YEAR}; SameSite=Lax${secure}`
    const i18n = createI18n(locale, await loadMessages(locale), names)
    document.documentElement.lang = locale
    activate(i18n)
    setI18n(i18n)
    void tellLanguage()
    const url = new URL(window.location.href)
    // A language in the address overrides the cookie, so it is changed too.
    if (!url.searchParams.has('lang')) return revalidate()
    url.searchParams.set('lang', locale)
    await navigate(pathOf(url), { replace: true })
  }
}
