import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { SEARCH_LENGTH } from '#contract/limits.ts'
import { search } from '#contract/search.ts'
import { api } from '#web/core/api.ts'
import { type Line, linesOf, type SearchKind } from '#web/layout/search/search.ts'

/** Wait in ms after the last keystroke before a request. */
const PAUSE = 150

interface Found {
  /** The text that the lines match. */
  readonly typed: string
  readonly lines: readonly Line[]
  /** The number of items among them. */
  readonly total: number
}

export interface Suggestions {
  /** Null if the list is closed. */
  readonly found: Found | null
  /** The selected line. At -1, Enter searches for the typed text. */
  readonly active: number
  /** Requests suggestions after a pause and aborts an older request. */
  readonly ask: (typed: string) => void
  readonly close: () => void
  readonly onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void
}

const closed = { found: null, active: -1 } as const

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
  // Aborts the request when the user leaves the page.
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
        // The search works without suggestions, so failures stay silent.
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
        // One position more than there are lines, for the typed text.
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
