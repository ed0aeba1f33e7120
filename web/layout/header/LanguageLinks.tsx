import { useLocation } from 'react-router'
import { LANGUAGES } from '#contract/messages/messages.ts'
import styles from './Header.module.css'

/** Without scripts the language is changed by links. */
export function LanguageLinks() {
  const { pathname, search } = useLocation()
  const addressOf = (locale: string) => {
    const query = new URLSearchParams(search)
    query.set('lang', locale)
    // Browsers read an address that starts with two slashes as another site.
    return `${pathname.replace(/^\/+/, '/')}?${query.toString()}`
  }
  return (
    <noscript>
      {Object.entries(LANGUAGES).map(([code, { name }]) => (
        <a
          key={code}
          className={styles.langLink}
          href={addressOf(code)}
          lang={code}
          hrefLang={code}
        >
          {name}
        </a>
      ))}
    </noscript>
  )
}
