import {
  type FormEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { useLocation, useNavigate } from 'react-router'
import { SEARCH_LENGTH } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { lazyComponent } from '#web/core/router/page-view.ts'
import {
  kindOfPlace,
  searchAddress,
  type SearchKind,
  wordsOfPlace,
} from '#web/layout/search/search.ts'
import type { SuggestionKeys } from '#web/layout/search/Suggestions.tsx'

const suggestions = lazyComponent('layout/search/Suggestions', async () => {
  const { Suggestions } = await import('#web/layout/search/Suggestions.tsx')
  return Suggestions
})

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

/**
 * A search with suggestions, which are fetched when one comes to the field. Until they are there, or where they can't be
 * had, it searches all the same. Without script the form goes to /search, which leads on to the chosen list.
 */
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

  const { Suggestions, keys, isAsked, wake, ask, close } = useSuggestionsAtNeed(input)
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
        aria-expanded={false}
        aria-controls={listId}
        onFocus={wake}
        onInput={ask}
        onKeyDown={(event) => {
          if (keys.current !== null) keys.current.onKeyDown(event)
          else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') ask()
        }}
      />
      {children}
      {Suggestions !== undefined && (
        <Suggestions id={listId} kind={kind} field={input} isAsked={isAsked} ref={keys} />
      )}
    </form>
  )
}

/** The suggestions once they are there; what is asked of them before is asked when they come. */
function useSuggestionsAtNeed(field: RefObject<HTMLInputElement | null>) {
  const keys = useRef<SuggestionKeys>(null)
  const isAsked = useRef(false)
  const [isAwake, setAwake] = useState(false)
  const wake = () => {
    if (isAwake) return
    // Whoever can't have them searches without; the next stroke tries again.
    void suggestions.load().then(
      () => setAwake(true),
      () => {},
    )
  }
  const ask = () => {
    isAsked.current = true
    keys.current?.ask(field.current?.value ?? '')
    wake()
  }
  const close = () => {
    isAsked.current = false
    keys.current?.close()
  }
  return {
    Suggestions: isAwake ? suggestions.loaded() : undefined,
    keys,
    isAsked,
    wake,
    ask,
    close,
  }
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
