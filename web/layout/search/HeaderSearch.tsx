import { useEffect } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { SearchBox } from '#web/layout/search/SearchBox.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from '#web/layout/header/Header.module.css'

/** `/` focuses the search unless the user is typing. */
export function HeaderSearch() {
  const { t } = useText()
  useEffect(() => {
    function focusSearch(event: KeyboardEvent): void {
      const typing =
        event.target instanceof Element &&
        event.target.closest('input, textarea, select, [contenteditable], dialog')
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || typing) return
      const fields = document.querySelectorAll<HTMLInputElement>('[role=search] input')
      const seen = [...fields].find((field) => field.checkVisibility())
      if (seen === undefined) return
      event.preventDefault()
      seen.focus()
      seen.select()
    }
    document.addEventListener('keydown', focusSearch)
    return () => document.removeEventListener('keydown', focusSearch)
  }, [])
  return (
    <SearchBox
      className={styles.search}
      label={t('searchLabel')}
      fieldLabel={t('searchEverywhere')}
      hint={t('searchLabel')}
    >
      <button type="submit" aria-label={t('searchLabel')}>
        <Icon name="search" />
      </button>
    </SearchBox>
  )
}
