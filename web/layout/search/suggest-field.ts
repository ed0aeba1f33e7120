import { type ComponentProps, type FocusEvent, type RefObject, useId, useRef } from 'react'
import { SEARCH_LENGTH } from '#contract/limits.ts'
import type { SearchKind } from '#web/layout/search/search.ts'
import type { SuggestionKeys, SuggestionsProps } from '#web/layout/search/Suggestions.tsx'

interface SuggestField {
  readonly fieldProps: ComponentProps<'input'>
  /** For `<Suggestions>`, which must be in the same form, because it is positioned below it. */
  readonly suggestionsProps: SuggestionsProps
  readonly close: () => void
  /** For the form's `onBlur`. */
  readonly closeOnLeave: (event: FocusEvent<HTMLElement>) => void
}

export function useSuggestField(
  kind: SearchKind | 'all',
  input: RefObject<HTMLInputElement | null>,
): SuggestField {
  const keys = useRef<SuggestionKeys>(null)
  const id = useId()
  const close = () => keys.current?.close()
  return {
    suggestionsProps: { id, kind, field: input, ref: keys },
    fieldProps: {
      dir: 'auto',
      enterKeyHint: 'search',
      autoComplete: 'off',
      maxLength: SEARCH_LENGTH,
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': false,
      'aria-controls': id,
      onInput: () => keys.current?.ask(input.current?.value ?? ''),
      onKeyDown: (event) => keys.current?.onKeyDown(event),
    },
    close,
    closeOnLeave: (event) => {
      if (!event.currentTarget.contains(event.relatedTarget)) close()
    },
  }
}
