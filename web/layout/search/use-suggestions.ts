import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { SEARCH_LENGTH } from '#contract/limits.ts'
import { search } from '#contract/search.ts'
import { api } from '#web/core/api.ts'
import { type Line, linesOf, type SearchKind } from '#web/layout/search/search.ts'

/** Milliseconds without a stroke before one asks. */
const PAUSE = 150

interface Found {
  /** What the lines were found for. */
  readonly typed: string
  readonly lines: readonly Line[]
  /** How many of them are items. */
  readonly total: number
}

export interface Suggestions {
  /** Null: the list is closed. */
  readonly found: Found | null
  /** The line that Enter goes to; -1: what was typed is searched. */
  readonly active: number
  /** Asks after a pause; an older question is dropped. */
  readonly ask: (typed: string) => void
  readonly close: () => void
  readonly onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void
}

const closed = { found: null, active: -1 } as const

/** Titles while one types, and the keys that walk through them. */
export function useSuggestions(
  kind: SearchKind | 'all',
  choose: (line: Line) => void,
): Suggestions {
  const [state, setState] = useState<Pick<Suggestions, 'found' | 'active'>>(closed)
  const question = useRef<AbortController>(null)

  const drop = useCallback(() => question.current?.abort(), [])
  const close = useCallback(() => {
    drop()
    setState(closed)
  }, [drop])
  // Who goes on to another page waits for no answer.
  useEffect(() => drop, [drop])

  const ask = useCallback(
    (given: string) => {
      drop()
      const typed = given.trim().slice(0, SEARCH_LENGTH)
      if (typed === '') {
        setState(closed)
        return
      }
      const { signal } = (question.current = new AbortController())
      void wait(PAUSE, signal)
        .then(async () => {
          const items = await api(search.suggest, { kind, q: typed }, { signal })
          if (!signal.aborted) {
            const found = { typed, lines: linesOf(typed, items), total: items.length }
            setState({ found, active: -1 })
          }
        })
        // A help that does not come is none to complain about: the search itself still works.
        .catch(() => {})
    },
    [kind, drop],
  )

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const { found, active } = state
    const count = found?.lines.length ?? 0
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        event.preventDefault()
        if (found === null) ask(event.currentTarget.value)
        // One place more than lines: there stands what was typed.
        const step = event.key === 'ArrowDown' ? 1 : count
        setState({ found, active: ((active + 1 + step) % (count + 1)) - 1 })
        return
      }
      case 'Enter': {
        const chosen = found?.lines[active]
        if (chosen !== undefined) {
          event.preventDefault()
          choose(chosen)
        }
        close()
        return
      }
      case 'Escape':
        if (found !== null) event.preventDefault()
        close()
        return
      default:
    }
  }
  return { ...state, ask, close, onKeyDown }
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new DOMException('dropped', 'AbortError'))
    })
  })
}
