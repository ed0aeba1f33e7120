import { useLocation } from 'react-router'
import { LOCALES } from '#contract/messages/messages.ts'
import { NAMES } from '#web/layout/header/language-names.ts'
import styles from './Header.module.css'

/** Where there is no script, the languages are addresses. */
export function LanguageLinks() {
  const { pathname, search } = useLocation()
  const addressOf = (locale: string) => {
    const query = new URLSearchParams(search)
    query.set('lang', locale)
    // Two slashes at the start would lead to another site.
    return `${pathname.replace(/^\/+/, '/')}?${query.toString()}`
  }
  return (
    <noscript>
      {LOCALES.map((code) => (
        <a
          key={code}
          className={styles.langLink}
          href={addressOf(code)}
          lang={code}
          hrefLang={code}
        >
          {NAMES[code]}
        </a>
      ))}
    </noscript>
  )
}
