import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { SEARCH_LENGTH } from '#contract/limits.ts'
import type { Suggestion } from '#contract/search.schemas.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import {
  kindOfPlace,
  searchAddress,
  type SearchKind,
  wordsOfPlace,
} from '#web/layout/search/search.ts'
import { lineId, SuggestionList } from '#web/layout/search/SuggestionList.tsx'
import { useSuggestions } from '#web/layout/search/use-suggestions.ts'

interface SearchBoxProps {
  readonly className: string
  /** Spoken name of the whole. */
  readonly label: string
  /** Spoken name of the field. */
  readonly fieldLabel: string
  readonly hint: string
  /** Looks through lessons only, without a selector. */
  readonly lessonsOnly?: boolean | undefined
  /** The button. */
  readonly children: ReactNode
}

/** A search with suggestions. Without script the form goes to /search, which leads on to the chosen list. */
export function SearchBox(props: SearchBoxProps) {
  const { className, label, fieldLabel, hint, lessonsOnly, children } = props
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [kind, setKind] = useKind(lessonsOnly)
  const location = useLocation()
  const words = wordsOfPlace(location)
  const shown = useRef(location.key)
  useEffect(() => {
    // A field that shows the words of another page misleads; what was typed before hydration stays.
    if (shown.current === location.key) return
    shown.current = location.key
    if (input.current !== null) input.current.value = words
  }, [location.key, words])
  const listId = useId()

  const go = ({ id }: Suggestion) => {
    void navigate(kind === 'course' ? to.course(id) : to.lesson(id))
  }
  const { found, active, ask, close, onKeyDown } = useSuggestions(kind, go)
  const choose = (item: Suggestion) => {
    close()
    go(item)
  }
  const isOpen = found !== null && found.items.length > 0

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
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close()
      }}
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
        ref={input}
        dir="auto"
        type="text"
        name="search"
        enterKeyHint="search"
        autoComplete="off"
        maxLength={SEARCH_LENGTH}
        defaultValue={words}
        aria-label={fieldLabel}
        placeholder={hint}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={isOpen && active >= 0 ? lineId(listId, active) : undefined}
        onInput={(event) => ask(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {children}
      {found !== null && (
        <SuggestionList id={listId} {...found} active={active} onChoose={choose} />
      )}
    </form>
  )
}

interface KindSelectProps {
  readonly kind: SearchKind
  readonly onChange: (kind: SearchKind) => void
}

/** Whether lessons or courses are looked for. */
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

/** What is looked for: as chosen, until one comes to another list. */
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
