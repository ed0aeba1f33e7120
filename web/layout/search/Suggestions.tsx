import { type Ref, type RefObject, useImperativeHandle, useLayoutEffect } from 'react'
import { useNavigate } from 'react-router'
import type { Line, SearchKind } from '#web/layout/search/search.ts'
import { lineId, SuggestionList } from '#web/layout/search/SuggestionList.tsx'
import { type Suggestions as Found, useSuggestions } from '#web/layout/search/use-suggestions.ts'

export type SuggestionKeys = Pick<Found, 'ask' | 'close' | 'onKeyDown'>

export interface SuggestionsProps {
  /** The list's id. */
  readonly id: string
  readonly kind: SearchKind | 'all'
  readonly field: RefObject<HTMLInputElement | null>
  readonly ref: Ref<SuggestionKeys>
}

export function Suggestions({ id, kind, field, ref }: SuggestionsProps) {
  const navigate = useNavigate()
  const go = ({ href }: Line) => void navigate(href)
  const { found, active, ask, close, onKeyDown } = useSuggestions(kind, go)
  useImperativeHandle(ref, () => ({ ask, close, onKeyDown }))

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
