import { type FormEvent, useRef } from 'react'
import { useNavigate } from 'react-router'
import { useText } from '#web/core/i18n.tsx'
import { to, type FindQuery } from '#web/core/paths.ts'
import { useSuggestField } from '#web/layout/search/suggest-field.ts'
import { Suggestions } from '#web/layout/search/Suggestions.tsx'
import { Button } from '#web/ui/Button.tsx'
import styles from './Search.module.css'
import fieldStyles from '#web/ui/inputs/Field.module.css'

/** Keeps the other filters. Works without JavaScript. */
export function SearchField({ query }: { readonly query: FindQuery }) {
  const { t } = useText()
  const navigate = useNavigate()
  const { kind, tag, free, language } = query
  const input = useRef<HTMLInputElement>(null)
  const { fieldProps, suggestionsProps, close, closeOnLeave } = useSuggestField(
    kind === 'lesson' || kind === 'course' ? kind : 'all',
    input,
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const q = new FormData(event.currentTarget).get('q')
    event.preventDefault()
    close()
    if (typeof q === 'string' && q.trim() !== '')
      void navigate(to.search({ q: q.trim(), kind, tag, free, language }))
  }
  return (
    <form
      // The key resets the field, which must not show another search.
      key={query.q}
      className={styles.searchAgain}
      role="search"
      aria-label={t('searchEverywhere')}
      action="/search"
      onSubmit={submit}
      onBlur={closeOnLeave}
    >
      <input
        {...fieldProps}
        ref={input}
        className={fieldStyles.input}
        type="search"
        name="q"
        required
        defaultValue={query.q}
        aria-label={t('searchEverywhere')}
      />
      {Object.entries({ kind, tag, free, language }).map(
        ([name, value]) =>
          value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <Button kind="main" type="submit">
        {t('searchLabel')}
      </Button>
      <Suggestions {...suggestionsProps} />
    </form>
  )
}
