/** Forms with the product's validation rules, on top of react-hook-form. Import it only in pages with a form. */
import { toNestErrors } from '@hookform/resolvers'
import {
  createElement,
  type FormHTMLAttributes,
  type ReactNode,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'
import { useLocation } from 'react-router'
import type { RefusedForm } from '#contract/render.ts'
import {
  type DefaultValues,
  type FieldError,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type RegisterOptions,
  type Resolver,
  type UseFormRegisterReturn,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import type * as z from 'zod/mini'
import { countedLength } from '#contract/measure.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { ApiError } from '#web/core/api-error.ts'
import { FormReason } from '#web/core/form/FormReason.tsx'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { alertOf } from '#web/core/form/alert-of.ts'
import { lengthStep } from '#web/core/form/length-step.ts'
import { useRefused } from '#web/core/form/refused.ts'

export interface Repetition<Values extends FieldValues> {
  readonly field: FieldPath<Values>
  readonly of: FieldPath<Values>
  /** Shown if the two values differ. */
  readonly error: MessageKey
}

export interface FormOptions<Values extends FieldValues> {
  /** The contract's schema of the call. The form shows its packed messages. */
  readonly schema: z.ZodMiniType<unknown, Values>
  readonly defaults: DefaultValues<Values>
  /** Translated labels. The line below the form names only the fields listed here. */
  readonly labels: Partial<Readonly<Record<FieldPath<Values>, string>>>
  readonly required: readonly FieldPath<Values>[]
  /** Checked separately, because the schema compares two fields only once every field is valid. */
  readonly repeats?: Repetition<Values>
  /** Sends the values as entered. The form shows what it throws. */
  readonly send: (values: Values) => Promise<void>
  /** The form also works without JavaScript: it posts to the page's address (see server/pages/plain-forms.ts). */
  readonly plain?: boolean
}

interface FirstValue {
  readonly defaultValue?: string
  readonly defaultChecked?: boolean
}

export interface FormState<Values extends FieldValues> {
  readonly form: UseFormReturn<Values>
  /** Adds the first value, which react-hook-form sets only after hydration: until then an edit form would be empty. */
  readonly register: <Name extends FieldPath<Values>>(
    name: Name,
    options?: RegisterOptions<Values, Name>,
  ) => UseFormRegisterReturn<Name> & FirstValue
  readonly onSubmit: (event?: React.SyntheticEvent) => Promise<void>
  /** Attributes for `<form>`, so that the browser can submit it without JavaScript. */
  readonly plainly: FormHTMLAttributes<HTMLFormElement>
  /** Translated, or undefined. */
  readonly errorOf: (field: FieldPath<Values>) => string | undefined
  /**
   * Counts as the server does: normalized, in code points. `over` includes a text that is too short once its field was
   * left.
   */
  readonly countOf: (
    field: FieldPath<Values>,
    range: { min: number; max: number },
  ) => { count: string; over: boolean }
  /** The refusal that belongs to no field, or reports a conflict (409). A new object each time. */
  readonly alert: {
    readonly text: string
    readonly status: number
    /** True if the focus is already in the field. */
    readonly hasField?: boolean
  } | null
  readonly busy: boolean
  /** The submit button waits. */
  readonly disabled: boolean
  /** Why it waits, with links to the fields. */
  readonly missing: ReactNode
}

/** Rethrows an error of `send` that is not an ApiError, so that it is reported. */
export function useAppForm<Values extends FieldValues>(
  options: FormOptions<Values>,
): FormState<Values> {
  const { schema, defaults, labels, required, repeats, send, plain = false } = options
  const { t, tp } = useText()
  const { pathname, search } = useLocation()
  const address = pathname + search
  const postedRefusal = useRefused()
  const refused = plain ? postedRefusal : null
  // The values that the refused form was sent with, without passwords and files.
  const first = { ...defaults, ...refused?.values }
  // Without JavaScript the button must not be disabled. The server reports what is wrong.
  const waits = useHydrated() || !plain
  const [alert, setAlert] = useState<FormState<Values>['alert']>(() => alertOf(refused, labels))
  const refusedErrors = useMemo(() => errorsOf<Values>(refused), [refused])
  const form = useForm<Values>({
    mode: 'onTouched',
    defaultValues: first,
    ...(refusedErrors !== undefined && { errors: refusedErrors }),
    resolver: resolverOf(schema, repeats),
  })
  const { errors, isSubmitting } = form.formState
  const values = form.watch()
  // react-hook-form validates a value that was set by code only when the field is left.
  const judged = schema.safeParse(values)
  const judgedWrong = new Set(judged.error?.issues.map((issue) => String(issue.path[0] ?? '')))
  const isRepeatedWrong = differs(values, repeats)
  if (isRepeatedWrong) judgedWrong.add(repeats.field)
  const missing = required.filter((field) => isEmpty(form.getValues(field)))
  const isAutofilled = useAutofill(required) && missing.length > 0
  const fields = Object.keys(labels) as FieldPath<Values>[]
  const hasError = (field: FieldPath<Values>) => form.getFieldState(field).error !== undefined
  const wrong = fields.filter((field) => hasError(field) || judgedWrong.has(field))

  function errorOf(field: FieldPath<Values>): string | undefined {
    const error = form.getFieldState(field, form.formState).error
    if (error?.message === undefined) return undefined
    const step = lengthStep(error, form.getValues(field))
    return step === null ? tp(error.message) : `${tp(error.message)} ${t(step.words, step.values)}`
  }

  function show(error: unknown): void {
    if (!(error instanceof ApiError)) {
      setAlert({ text: t('somethingWrong'), status: 0 })
      throw error
    }
    // The error of a compound field is attached to its part, such as `checks.0.text`.
    const known = fields.flatMap((field) =>
      Object.keys(error.fields)
        .filter((name) => name === field || name.startsWith(`${field}.`))
        .map((name) => name as FieldPath<Values>),
    )
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

  const named = (list: readonly FieldPath<Values>[]) =>
    list.flatMap((field) => {
      const label = labels[field]
      return label === undefined ? [] : [{ field, label }]
    })
  // While required fields are empty, the line names an invalid field only after the user has left it.
  const toMend = missing.length > 0 ? wrong.filter(hasError) : wrong
  const reasons = {
    missing: named(missing),
    wrong: named(toMend.filter((field) => !missing.includes(field))),
  }
  const hasReason = reasons.missing.length + reasons.wrong.length > 0
  return {
    form,
    register: (name, registerOptions) => ({
      ...form.register(name, registerOptions),
      ...firstValueOf(first, name),
    }),
    onSubmit: submit,
    plainly: plain ? { method: 'post', encType: 'multipart/form-data', action: address } : {},
    errorOf,
    countOf: (field, range) => {
      const value: unknown = values[field] ?? first[field]
      const length = typeof value === 'string' ? countedLength(value, range) : 0
      const over = length > range.max || (length < range.min && errors[field] !== undefined)
      return { count: t('count', { length, max: range.max }), over }
    },
    alert,
    busy: isSubmitting,
    disabled:
      waits &&
      !isAutofilled &&
      (missing.length > 0 || wrong.length > 0 || !judged.success || isRepeatedWrong),
    missing: hasReason && !isAutofilled ? createElement(FormReason, reasons) : undefined,
  }
}

/** Detects autofill. The browser hides autofilled values from scripts until the user interacts with the page. */
function useAutofill(names: readonly string[]): boolean {
  const [isFilled, setFilled] = useState(false)
  const all = names.join(' ')
  useLayoutEffect(() => {
    const inputs = all.split(' ').flatMap((name) => [...document.getElementsByName(name)])
    // oxlint-disable-next-line react/set-state-in-effect -- once: only the page knows it
    setFilled(inputs.some((input) => input.matches(':autofill')))
  }, [all])
  return isFilled
}

function firstValueOf(defaults: object, name: string): FirstValue {
  const value: unknown = Reflect.get(defaults, name)
  if (typeof value === 'boolean') return { defaultChecked: value }
  return typeof value === 'string' ? { defaultValue: value } : {}
}

/** A repeated field that is not mounted yet counts as equal. */
function differs<Values extends FieldValues>(
  values: Values,
  repeats: Repetition<Values> | undefined,
): repeats is Repetition<Values> {
  if (repeats === undefined) return false
  const repeated: unknown = values[repeats.field]
  return repeated !== undefined && repeated !== values[repeats.of]
}

/** The error types are the codes of the schema's issues, such as `too_small`. */
function resolverOf<Values extends FieldValues>(
  schema: z.ZodMiniType<unknown, Values>,
  repeats: Repetition<Values> | undefined,
): Resolver<Values> {
  return (values, _, options) => {
    const { success, error } = schema.safeParse(values)
    const isDifferent = differs(values, repeats)
    if (success && !isDifferent) return { values, errors: {} }
    const errors: Record<string, FieldError> = {}
    for (const { path, code, message } of error?.issues ?? [])
      errors[path.join('.')] ??= { type: code, message }
    if (isDifferent) errors[repeats.field] ??= { type: 'repeats', message: repeats.error }
    return { values: {}, errors: toNestErrors<Values>(errors, options) }
  }
}

function errorsOf<Values extends FieldValues>(
  refused: RefusedForm | null,
): FieldErrors<Values> | undefined {
  if (refused === null) return undefined
  const errors = Object.entries(refused.fields).map(([field, message]) => [
    field,
    { type: 'server', message },
  ])
  // The server uses the form's field names.
  return Object.fromEntries(errors) as FieldErrors<Values>
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === ''
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}
