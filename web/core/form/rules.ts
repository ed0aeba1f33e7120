/** The rules of a form that stands there before they come (form-at-need.tsx). */
import { useLayoutEffect } from 'react'
import type { FieldValues } from 'react-hook-form'
import {
  type FormOptions,
  type FormState,
  type Repetition,
  useAppForm,
} from '#web/core/form/form.ts'

export interface RulesProps<Values extends FieldValues> {
  readonly options: Omit<FormOptions<Values>, 'schema' | 'repeats'>
  /** Gets the form's state, each time that it changes. */
  readonly onState: (state: FormState<Values>) => void
  /** Another one has the state told again. */
  readonly round: number
}

/**
 * Keeps the state of a form and tells it.
 * @param schema of the call
 * @param repeats as of any form
 */
export function useRules<Values extends FieldValues>(
  schema: FormOptions<Values>['schema'],
  { options, onState }: RulesProps<Values>,
  repeats?: Repetition<Values>,
): void {
  const state = useAppForm({ ...options, schema, ...(repeats !== undefined && { repeats }) })
  useLayoutEffect(() => onState(state))
}
