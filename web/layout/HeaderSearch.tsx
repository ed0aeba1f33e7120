import { useEffect, useRef } from 'react'
import { Form, useLocation } from 'react-router'
import { SEARCH_LENGTH } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { useSearchSubmit } from '#web/layout/search.ts'
import { Icon } from '#web/ui/Icon.tsx'

/** The search of the bar; `/` leads to it from anywhere but a field. */
export function HeaderSearch() {
  const { t } = useText()
  const input = useRef<HTMLInputElement>(null)
  const submit = useSearchSubmit()
  const { key } = useLocation()
  useEffect(() => {
    function focusSearch(event: KeyboardEvent): void {
      const typing =
        event.target instanceof Element &&
        event.target.closest('input, textarea, select, [contenteditable], dialog')
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || typing) return
      const fields = document.querySelectorAll<HTMLInputElement>('input[type=search]')
      const seen = [...fields].find((field) => field.checkVisibility())
      if (seen === undefined) return
      event.preventDefault()
      seen.focus()
      seen.select()
    }
    document.addEventListener('keydown', focusSearch)
    return () => document.removeEventListener('keydown', focusSearch)
  }, [])
  useEffect(() => {
    // A search field that keeps the words of another page misleads; the list shows its term itself.
    const search = new URLSearchParams(window.location.search).get('search') ?? ''
    if (input.current !== null && window.location.pathname === to.lessons())
      input.current.value = search
  }, [key])
  return (
    <Form
      className="search"
      role="search"
      action={to.lessons()}
      onSubmit={submit}
      aria-label={t('searchLabel')}
    >
      <select className="wide" aria-label={t('searchIn')}>
        <option>{t('navLessons')}</option>
      </select>
      <input
        ref={input}
        type="search"
        name="search"
        maxLength={SEARCH_LENGTH}
        aria-label={t('searchByTitle')}
        placeholder={t('searchByTitle')}
      />
      <button type="submit" aria-label={t('searchLabel')}>
        <Icon name="search" />
      </button>
    </Form>
  )
}
