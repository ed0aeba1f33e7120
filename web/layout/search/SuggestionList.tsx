import { useEffect, useRef } from 'react'
import { useText } from '#web/core/i18n.tsx'
import type { Line } from '#web/layout/search/search.ts'
import { SuggestedItem } from '#web/layout/search/SuggestedItem.tsx'
import { Face } from '#web/ui/Face.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/layout/header/Header.module.css'

interface SuggestionListProps {
  readonly id: string
  readonly lines: readonly Line[]
  /** The number of suggestions among the lines. */
  readonly total: number
  readonly typed: string
  readonly active: number
  readonly onChoose: (line: Line) => void
}

/** The id of a line, for aria-activedescendant. */
export const lineId = (list: string, place: number): string => `${list}-${place}`

/** The focus stays in the field, even when a line is pressed. */
export function SuggestionList(props: SuggestionListProps) {
  const { id, lines, total, typed, active, onChoose } = props
  const { t } = useText()
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <>
      <ul
        ref={list}
        className={styles.suggest}
        id={id}
        role="listbox"
        aria-label={t('searchSuggestions')}
        onPointerDown={(event) => event.preventDefault()}
      >
        {lines.map((line, place) => (
          <li
            key={line.id}
            id={lineId(id, place)}
            className={classes(line.kind === 'all' && styles.all)}
            role="option"
            aria-selected={place === active}
            onClick={() => onChoose(line)}
          >
            <Shown line={line} typed={typed} />
          </li>
        ))}
      </ul>
      <span className="sr" role="status">
        {total === 0 ? t('searchFoundNone') : t('searchFound', { count: total })}
      </span>
    </>
  )
}

function Shown({ line, typed }: { readonly line: Line; readonly typed: string }) {
  const { t } = useText()
  switch (line.kind) {
    case 'item':
      return <SuggestedItem item={line.item} typed={typed} />
    case 'tag':
      return (
        <>
          <Icon name="list" />
          <span className={styles.way} dir="auto">
            <b>{line.tag}</b>{' '}
            <small className="quiet num">
              {t('searchInTag')}, {t('lessonCount', { total: line.items })}
            </small>
          </span>
        </>
      )
    case 'person':
      return (
        <>
          <Face src={line.picture} />
          <span className={styles.way} dir="auto">
            {line.name}
          </span>
        </>
      )
    default:
      return (
        <>
          <Icon name="search" />
          <span className={styles.way} dir="auto">
            {line.kind === 'spelling' && (
              <>
                {t('searchClose', { q: typed })} <b>{line.words}</b>
              </>
            )}
            {line.kind === 'all' && t('searchAllFor', { q: line.words })}
            {line.kind === 'nothing' && t('searchFoundNothing', { q: line.words })}
          </span>
        </>
      )
  }
}
