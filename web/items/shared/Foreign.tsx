import type { ItemLanguage } from '#contract/items.ts'
import { useText } from '#web/core/i18n.tsx'
import { LANGUAGE_NAMES } from '#web/items/shared/item-languages.ts'
import styles from '#web/ui/books/Book.module.css'

/** Shows an item's language if it isn't the page's. CSS leaves only the code where there is little room. */
export function Foreign({ language }: { readonly language: ItemLanguage | null }) {
  const { t, locale } = useText()
  if (language === null || language === locale) return null
  return (
    <span className={styles.tongue}>
      <b aria-hidden="true">{language.toUpperCase()}</b>
      <span>{t(LANGUAGE_NAMES[language])}</span>
    </span>
  )
}
