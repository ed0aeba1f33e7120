import type { Tongue } from '#contract/items.ts'
import { useText } from '#web/core/i18n.tsx'
import { TONGUES } from '#web/items/shared/tongues.ts'
import styles from '#web/ui/books/Book.module.css'

/** Shows an item's language if it isn't the page's. CSS leaves only the code where there is little room. */
export function Foreign({ language }: { readonly language: Tongue | null }) {
  const { t, locale } = useText()
  if (language === null || language === locale) return null
  return (
    <span className={styles.tongue}>
      <b aria-hidden="true">{language.toUpperCase()}</b>
      <span>{t(TONGUES[language])}</span>
    </span>
  )
}
