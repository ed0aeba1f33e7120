import type { Tongue } from '#contract/items.ts'
import { useText } from '#web/core/i18n.tsx'
import { TONGUES } from '#web/items/tongues.ts'
import styles from '#web/ui/books/Book.module.css'

/**
 * Says that an item is in another language than the page; nothing where it is in the same, or in none. Where there is
 * little room the letters of the language stand for its name.
 */
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
