/** What makes a field one that suggests while one types. */
import {
  type ComponentProps,
  type ComponentType,
  type FocusEvent,
  type RefObject,
  useId,
  useRef,
  useState,
} from 'react'
import { SEARCH_LENGTH } from '#contract/limits.ts'
import { lazyComponent } from '#web/core/router/page-view.ts'
import type { SearchKind } from '#web/layout/search/search.ts'
import type { SuggestionKeys, SuggestionsProps } from '#web/layout/search/Suggestions.tsx'

const suggestions = lazyComponent('layout/search/Suggestions', async () => {
  const { Suggestions } = await import('#web/layout/search/Suggestions.tsx')
  return Suggestions
})

interface SuggestField {
  readonly fieldProps: ComponentProps<'input'>
  /** Once it is there. It stands in the same form, which is what it is placed below. */
  readonly Suggestions: ComponentType<SuggestionsProps> | undefined
  readonly suggestionsProps: SuggestionsProps
  readonly close: () => void
  /** The form's `onBlur`. */
  readonly closeOnLeave: (event: FocusEvent<HTMLElement>) => void
}

/**
 * Suggestions are fetched when one comes to the field. Until they are there, or where they can't be had, it is a field
 * like any other.
 *
 * @param kind what is suggested
 */
export function useSuggestField(
  kind: SearchKind | 'all',
  input: RefObject<HTMLInputElement | null>,
): SuggestField {
  const keys = useRef<SuggestionKeys>(null)
  const isAsked = useRef(false)
  const [isAwake, setAwake] = useState(false)
  const id = useId()
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
    keys.current?.ask(input.current?.value ?? '')
    wake()
  }
  const close = () => {
    isAsked.current = false
    keys.current?.close()
  }
  return {
    Suggestions: isAwake ? suggestions.loaded() : undefined,
    suggestionsProps: { id, kind, field: input, isAsked, ref: keys },
    fieldProps: {
      dir: 'auto',
      enterKeyHint: 'search',
      autoComplete: 'off',
      maxLength: SEARCH_LENGTH,
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': false,
      'aria-controls': id,
      onFocus: wake,
      onInput: ask,
      onKeyDown: (event) => {
        if (keys.current !== null) keys.current.onKeyDown(event)
        else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') ask()
      },
    },
    close,
    closeOnLeave: (event) => {
      if (!event.currentTarget.contains(event.relatedTarget)) close()
    },
  }
}
