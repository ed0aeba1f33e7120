/**
 * Forms with the product's rules: errors on blur, gone when valid; the button waits while something is missing or
 * wrong, and a line says what; the server's words go to their fields or into the alert. Import it in form pages only.
 */
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
  /** Said when the two differ. */
  readonly error: MessageKey
}

export interface FormOptions<Values extends FieldValues> {
  /** The contract's schema of the call; its packed messages are shown. */
  readonly schema: z.ZodMiniType<unknown, Values>
  readonly defaults: DefaultValues<Values>
  /** What a person calls each field, translated; fields without a label are not named in the line. */
  readonly labels: Partial<Readonly<Record<FieldPath<Values>, string>>>
  /** Must not be empty. */
  readonly required: readonly FieldPath<Values>[]
  /** A field that repeats another: judged by itself, while the schema judges pairs only once each field is whole. */
  readonly repeats?: Repetition<Values>
  /** Sends the values as they were entered; what it throws is shown. */
  readonly send: (values: Values) => Promise<void>
  /** The page's address takes the form without script too (server/pages/plain-forms.ts). */
  readonly plain?: boolean
}

interface FirstValue {
  readonly defaultValue?: string
  readonly defaultChecked?: boolean
}

export interface FormState<Values extends FieldValues> {
  /** react-hook-form's own: control, watch, setValue, reset. */
  readonly form: UseFormReturn<Values>
  /**
   * For an input of text or a tick: react-hook-form's wiring, and the first value, which react-hook-form itself would
   * set only once the page is hydrated: until then a form to change something would stand there empty.
   */
  readonly register: <Name extends FieldPath<Values>>(
    name: Name,
    options?: RegisterOptions<Values, Name>,
  ) => UseFormRegisterReturn<Name> & FirstValue
  /** For `<form onSubmit>`. */
  readonly onSubmit: (event?: React.SyntheticEvent) => Promise<void>
  /** For `<form>`: where the browser itself sends a plain form. */
  readonly plainly: FormHTMLAttributes<HTMLFormElement>
  /** The translated error of a field, or undefined. */
  readonly errorOf: (field: FieldPath<Values>) => string | undefined
  /**
   * How much of a field's range is used, for Field's `count` and `over`: "12 / 20" in the reader's language, counted as
   * the server counts (after trimming, in whole characters). `over`: too long, or too short in a field that was left; a
   * field that is being filled in is not called short.
   */
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
  /** What it waits for, in words that lead to the fields, or undefined. */
  readonly missing: ReactNode
}

/**
 * The state of one form. The button waits while a field is missing or wrong, and what the server refuses goes to its
 * field or into the alert. Anything else that `send` throws shows as a general failure and is thrown on, so that it is
 * not lost. The function is long because all that a form shows follows from the same few states.
 * @param options the schema that judges, the first values, and what to do with good ones
 */
export function useAppForm<Values extends FieldValues>(
  options: FormOptions<Values>,
): FormState<Values> {
  const { schema, defaults, labels, required, repeats, send, plain = false } = options
  const { t, tp } = useText()
  const { pathname, search } = useLocation()
  const address = pathname + search
  const asked = useRefused()
  const refused = plain ? asked : null
  // What a refused form was sent with, without passwords and files.
  const first = { ...defaults, ...refused?.values }
  // Without the script the button can't wait, and the server says what is wrong.
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
  // Asked here: the library learns of values that are set, not typed, only when a field is left.
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
    // What is wrong within a field of several parts is told at its part: `checks.0.text`.
    const known = fields.flatMap((field) =>
      Object.keys(error.fields)
        .filter((told) => told === field || told.startsWith(`${field}.`))
        .map((told) => told as FieldPath<Values>),
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
  // While something is missing, a field that is being filled in is not yet called wrong; one that was left is.
  const toMend = missing.length > 0 ? wrong.filter(hasError) : wrong
  const reasons = {
    missing: named(missing),
    wrong: named(toMend.filter((field) => !missing.includes(field))),
  }
  const hasReason = reasons.missing.length + reasons.wrong.length > 0
  return {
    form,
    register: (name, wishes) => ({
      ...form.register(name, wishes),
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

/**
 * Whether the browser has filled in one of these fields. It shows the value to scripts only after the first press on the
 * page, so until then nobody can say what is missing.
 */
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

/** What is not there yet differs from nothing. */
function differs<Values extends FieldValues>(
  values: Values,
  repeats: Repetition<Values> | undefined,
): repeats is Repetition<Values> {
  if (repeats === undefined) return false
  const repeated: unknown = values[repeats.field]
  return repeated !== undefined && repeated !== values[repeats.of]
}

/** The errors have the codes of the schema's issues as their types, such as `too_small`. */
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
  // The names are the form's own.
  return Object.fromEntries(errors) as FieldErrors<Values>
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === ''
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}
