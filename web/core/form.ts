/**
 * Forms with the product's rules: errors on blur, gone when valid; the button waits while something is missing or
 * wrong, and a line says what; the server's words go to their fields or into the alert. Import it in form pages only.
 */
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import type * as z from 'zod/mini'
import { ApiError } from '#web/core/api-error.ts'
import { useText } from '#web/core/i18n.tsx'

interface FormOptions<Values extends FieldValues> {
  /** The contract's schema of the call; its packed messages are shown. */
  readonly schema: z.ZodMiniType<unknown, Values>
  readonly defaults: DefaultValues<Values>
  /** What a person calls each field, translated; fields without a label are not named in the line. */
  readonly labels: Partial<Readonly<Record<FieldPath<Values>, string>>>
  /** Must not be empty. */
  readonly required: readonly FieldPath<Values>[]
  /** Sends the values as they were entered; what it throws is shown. */
  readonly send: (values: Values) => Promise<void>
}

export interface FormState<Values extends FieldValues> {
  /** react-hook-form's own: register, control, watch, setValue, reset. */
  readonly form: UseFormReturn<Values>
  /** For `<form onSubmit>`. */
  readonly onSubmit: (event?: React.SyntheticEvent) => Promise<void>
  /** The translated error of a field, or undefined. */
  readonly errorOf: (field: FieldPath<Values>) => string | undefined
  /** "12 / 20" and whether it is past a limit, for Field's count and over. */
  readonly countOf: (
    field: FieldPath<Values>,
    range: { min: number; max: number },
  ) => { count: string; over: boolean }
  /**
   * The server's refusal that belongs to no field, for FormAlert; also one that something is taken, which stands
   * beside its field's. A new object each time.
   */
  readonly alert: {
    readonly text: string
    readonly status: number
    /** The focus is at the field. */
    readonly hasField?: boolean
  } | null
  readonly busy: boolean
  /** The submit button waits. */
  readonly disabled: boolean
  /** Why it waits, in words, or undefined. */
  readonly reason: string | undefined
}

export function useAppForm<Values extends FieldValues>(
  options: FormOptions<Values>,
): FormState<Values> {
  const { schema, defaults, labels, required, send } = options
  const { t, tp, formatList } = useText()
  const [alert, setAlert] = useState<FormState<Values>['alert']>(null)
  const form = useForm<Values>({
    mode: 'onTouched',
    defaultValues: defaults,
    resolver: standardSchemaResolver(schema, undefined, { raw: true }),
  })
  const { errors, isSubmitting } = form.formState
  const values = form.watch()
  // Asked here: the library learns of values that are set, not typed, only when a field is left.
  const judged = schema.safeParse(values)
  const judgedWrong = new Set(judged.error?.issues.map((issue) => String(issue.path[0] ?? '')))
  const labelOf = (field: FieldPath<Values>) => labels[field] ?? ''
  const missing = required.filter((field) => isEmpty(form.getValues(field)))
  const fields = Object.keys(labels) as FieldPath<Values>[]
  const wrong = fields.filter(
    (field) => form.getFieldState(field).error !== undefined || judgedWrong.has(field),
  )

  function errorOf(field: FieldPath<Values>): string | undefined {
    const said = form.getFieldState(field, form.formState).error?.message
    return said === undefined ? undefined : tp(said)
  }

  function show(error: unknown): void {
    if (!(error instanceof ApiError)) {
      setAlert({ text: t('somethingWrong'), status: 0 })
      throw error
    }
    const known = fields.filter((field) => error.fields[field] !== undefined)
    for (const [index, field] of known.entries()) {
      form.setError(
        field,
        { type: 'server', message: error.fields[field] ?? '' },
        { shouldFocus: index === 0 },
      )
    }
    const hasField = known.length > 0
    if (!hasField || error.status === 409)
      setAlert({ text: error.message, status: error.status, hasField })
  }

  const submit = form.handleSubmit(async (entered) => {
    setAlert(null)
    try {
      await send(entered)
    } catch (error) {
      show(error)
    }
  })

  const names = (list: readonly FieldPath<Values>[]) =>
    formatList(list.map(labelOf).filter((label) => label !== ''))
  const wrongReason = wrong.length > 0 ? t('stillWrong', { fields: names(wrong) }) : undefined
  const reason = missing.length > 0 ? t('stillMissing', { fields: names(missing) }) : wrongReason
  return {
    form,
    onSubmit: submit,
    errorOf,
    countOf: (field, range) => {
      const value: unknown = values[field]
      const length =
        typeof value === 'string'
          ? [...value.normalize('NFC').replaceAll('\r\n', '\n').trim()].length
          : 0
      const over = length > range.max || (length < range.min && errors[field] !== undefined)
      return { count: t('count', { length, max: range.max }), over }
    },
    alert,
    busy: isSubmitting,
    disabled: missing.length > 0 || wrong.length > 0 || !judged.success,
    reason,
  }
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === ''
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}
