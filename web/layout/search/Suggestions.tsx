import {
  type Ref,
  type RefObject,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
} from 'react'
import { useNavigate } from 'react-router'
import type { Line, SearchKind } from '#web/layout/search/search.ts'
import { lineId, SuggestionList } from '#web/layout/search/SuggestionList.tsx'
import { type Suggestions as Found, useSuggestions } from '#web/layout/search/use-suggestions.ts'

/** What the search box passes on. */
export type SuggestionKeys = Pick<Found, 'ask' | 'close' | 'onKeyDown'>

/** What its search field gives it. */
export interface SuggestionsProps {
  /** Of the list. */
  readonly id: string
  readonly kind: SearchKind | 'all'
  /** It was there before, perhaps with the focus in it: it stays the same element and only learns what it shows. */
  readonly field: RefObject<HTMLInputElement | null>
  /** Whether lines for what stands in the field were asked for before this was there. */
  readonly isAsked: RefObject<boolean>
  readonly ref: Ref<SuggestionKeys>
}

/** The lines below a search field, and the keys that lead to them. Fetched by who comes to the field. */
export function Suggestions({ id, kind, field, isAsked, ref }: SuggestionsProps) {
  const navigate = useNavigate()
  const go = ({ href }: Line) => void navigate(href)
  const { found, active, ask, close, onKeyDown } = useSuggestions(kind, go)
  useImperativeHandle(ref, () => ({ ask, close, onKeyDown }))
  const askFirst = useEffectEvent(() => {
    if (isAsked.current) ask(field.current?.value ?? '')
  })
  useEffect(() => askFirst(), [])

  const isOpen = found !== null
  const line = isOpen && active >= 0 ? lineId(id, active) : null
  useLayoutEffect(() => {
    field.current?.setAttribute('aria-expanded', String(isOpen))
    if (line === null) field.current?.removeAttribute('aria-activedescendant')
    else field.current?.setAttribute('aria-activedescendant', line)
  }, [field, isOpen, line])

  const choose = (line: Line) => {
    close()
    go(line)
  }
  return found !== null && <SuggestionList id={id} {...found} active={active} onChoose={choose} />
}
