import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useText } from '#web/core/i18n.tsx'
import {
  kindOfPlace,
  searchAddress,
  type SearchKind,
  wordsOfPlace,
} from '#web/layout/search/search.ts'
import { useSuggestField } from '#web/layout/search/suggest-field.ts'
import { Suggestions } from '#web/layout/search/Suggestions.tsx'

interface SearchBoxProps {
  readonly className: string | undefined
  /** The accessible name of the form. */
  readonly label: string
  /** The accessible name of the field. */
  readonly fieldLabel: string
  readonly hint: string
  /** Searches only lessons and hides the selector. */
  readonly lessonsOnly?: boolean | undefined
  readonly children: ReactNode
}

/**
 * The suggestions load on focus, and the search works without them. Without JavaScript, the form posts to /search,
 * which redirects to the chosen list.
 */
export function SearchBox(props: SearchBoxProps) {
  const { className, label, fieldLabel, hint, lessonsOnly, children } = props
  const navigate = useNavigate()
  const [kind, setKind] = useKind(lessonsOnly)
  const input = useRef<HTMLInputElement>(null)
  const { fieldProps, suggestionsProps, close, closeOnLeave } = useSuggestField('all', input)
  const location = useLocation()
  const words = wordsOfPlace(location)
  const shown = useRef(location.key)
  useEffect(() => {
    // The field must not show the search of another page, but text typed before hydration stays.
    if (shown.current === location.key) return
    shown.current = location.key
    if (input.current !== null) input.current.value = words
  }, [location.key, words])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    close()
    void navigate(searchAddress(kind, input.current?.value ?? ''))
  }
  return (
    <form
      className={className}
      role="search"
      action="/search"
      onSubmit={submit}
      aria-label={label}
      onBlur={closeOnLeave}
    >
      {!lessonsOnly && (
        <KindSelect
          kind={kind}
          onChange={(chosen) => {
            setKind(chosen)
            close()
          }}
        />
      )}
      <input
        {...fieldProps}
        ref={input}
        type="text"
        name="search"
        defaultValue={words}
        aria-label={fieldLabel}
        placeholder={hint}
      />
      {children}
      <Suggestions {...suggestionsProps} />
    </form>
  )
}

interface KindSelectProps {
  readonly kind: SearchKind
  readonly onChange: (kind: SearchKind) => void
}

function KindSelect({ kind, onChange }: KindSelectProps) {
  const { t } = useText()
  return (
    <select
      name="kind"
      aria-label={t('searchIn')}
      value={kind}
      onChange={(event) => onChange(event.target.value === 'course' ? 'course' : 'lesson')}
    >
      <option value="lesson">{t('navLessons')}</option>
      <option value="course">{t('navCourses')}</option>
    </select>
  )
}

/** The user's choice, until they open another list. */
function useKind(lessonsOnly: boolean | undefined) {
  const { pathname } = useLocation()
  const place = lessonsOnly === true ? 'lesson' : kindOfPlace(pathname)
  const [state, setState] = useState<{ place: SearchKind; kind: SearchKind }>({
    place,
    kind: place,
  })
  if (state.place !== place) setState({ place, kind: place })
  return [state.kind, (kind: SearchKind) => setState({ place, kind })] as const
}
