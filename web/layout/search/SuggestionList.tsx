import { useEffect, useRef } from 'react'
import type { Suggestion } from '#contract/search.schemas.ts'
import { useText } from '#web/core/i18n.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { cutAtMatch } from '#web/layout/search/highlight.ts'

interface SuggestionListProps {
  readonly id: string
  readonly items: readonly Suggestion[]
  readonly typed: string
  readonly active: number
  readonly onChoose: (suggestion: Suggestion) => void
}

/** The id of one line of the list, for aria-activedescendant. */
export const lineId = (list: string, place: number): string => `${list}-${place}`

/** The titles below a search box. The focus stays in the field; a press does not take it away. */
export function SuggestionList({ id, items, typed, active, onChoose }: SuggestionListProps) {
  const { t } = useText()
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <>
      <ul
        ref={list}
        className="suggest"
        id={id}
        role="listbox"
        aria-label={t('searchSuggestions')}
        hidden={items.length === 0}
        onPointerDown={(event) => event.preventDefault()}
      >
        {items.map((item, place) => (
          <li
            key={item.id}
            id={lineId(id, place)}
            role="option"
            aria-selected={place === active}
            lang={textLanguage(item.title)}
            dir="auto"
            onClick={() => onChoose(item)}
          >
            {cutAtMatch(item.title, typed).map((piece, at) =>
              piece.hit ? <mark key={at}>{piece.text}</mark> : piece.text,
            )}
          </li>
        ))}
      </ul>
      <span className="sr" role="status">
        {items.length === 0 ? t('searchFoundNone') : t('searchFound', { count: items.length })}
      </span>
    </>
  )
}
