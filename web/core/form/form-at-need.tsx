/**
 * A form that stands there without its rules: they, and the library that keeps its state, are 27 KB, and are fetched
 * when somebody comes to it. Its fields are the same ones before and after, so what they hold, where the caret is and
 * what the browser has filled in stays. Until then it knows which fields are empty, and no more. Sent before, it waits
 * for its rules.
 */
import {
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { DefaultValues, FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { lengthOf, normalizeText } from '#contract/measure.ts'
import { useEmptyFields } from '#web/core/form/empty-fields.ts'
import { useFirstSign, useLeftAgain } from '#web/core/form/first-sign.ts'
import type { FormOptions, FormState } from '#web/core/form/form.ts'
import { FormReason } from '#web/core/form/FormReason.tsx'
import { alertOf } from '#web/core/form/alert-of.ts'
import { useRefused } from '#web/core/form/refused.ts'
import type { RulesProps } from '#web/core/form/rules.ts'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import type { LazyComponent } from '#web/core/router/page-view.ts'

interface OptionsAtNeed<Values extends FieldValues> extends Pick<
  FormOptions<Values>,
  'labels' | 'required' | 'send' | 'plain'
> {
  readonly rules: LazyComponent<RulesProps<Values>>
  /** Fields without a control of their own that hold something, such as a picture. */
  readonly held?: readonly FieldPath<Values>[]
  /**
   * Where the rules can't be had the browser sends the form, and the server judges it: for a `plain` one whose fields
   * hold all of it. Others stay as they are, and say so.
   */
  readonly unjudged?: boolean
}

export interface FormAtNeed<Values extends FieldValues> extends Pick<
  FormState<Values>,
  'errorOf' | 'enteredOf' | 'countOf' | 'alert' | 'busy' | 'disabled' | 'reason'
> {
  /** As of any form; null until the rules are there. */
  readonly form: UseFormReturn<Values> | null
  /** As of any form; until the rules are there it gives the name alone. */
  readonly register: (
    ...field: Parameters<FormState<Values>['register']>
  ) => { readonly name: string } | ReturnType<FormState<Values>['register']>
  /** For `<form ref>`: who comes near it wakes it. */
  readonly place: RefObject<HTMLFormElement | null>
  /** For `<form onSubmit>`. */
  readonly onSubmit: (event: SyntheticEvent) => void
  /** To be rendered somewhere in the form. */
  readonly engine: ReactNode
  /** Fetches the rules before a field is come to. */
  readonly wake: () => void
}

/**
 * The state of one form whose fields have their first values in the page, if any. It is long because it has an answer to
 * all that a form is asked, before its rules are there and after.
 * @param options what judges it, once that is there, and what to do with good values
 */
export function useFormAtNeed<Values extends FieldValues>(
  options: OptionsAtNeed<Values>,
): FormAtNeed<Values> {
  const { rules, labels, required, send, plain = false, held = [], unjudged = false } = options
  const { t } = useText()
  const asked = useRefused()
  const refused = plain ? asked : null
  const place = useRef<HTMLFormElement>(null)
  const { Rules, wake, hurry } = useFirstSign(place, rules)
  const [live, setLive] = useState<FormState<Values> | null>(null)
  // Fields tell the library what they hold when they are given to it, which nobody hears: it is asked once more then.
  const isLive = live !== null
  const [round, setRound] = useState(0)
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- once, and only when the fields have been given to it
    if (isLive) setRound(1)
  }, [isLive])
  const latest = useRef(send)
  useEffect(() => {
    latest.current = send
  })
  // What is the same is the same element, so that what it has just said does not start it again.
  const words = JSON.stringify({ labels, required, plain })
  const engine = useMemo(() => {
    if (Rules === null) return null
    const known = {
      ...(JSON.parse(words) as Pick<FormOptions<Values>, 'labels' | 'required' | 'plain'>),
      // No first values: what was typed before the script came stays.
      defaults: {} as DefaultValues<Values>,
      send: (values: Values) => latest.current(values),
    }
    return <Rules options={known} onState={setLive} round={round} />
  }, [Rules, words, round])
  const [waits, setWaits] = useState(false)
  const isReady = round > 0
  useEffect(() => {
    if (!waits || !isReady) return
    // oxlint-disable-next-line react/set-state-in-effect -- once: it is what was waited for
    setWaits(false)
    place.current?.requestSubmit()
  }, [waits, isReady])

  const [failure, setFailure] = useState<FormState<Values>['alert']>(null)
  useLeftAgain(place, isReady)
  const empty = useEmptyFields(place, required, !isReady).filter(
    (name) => !held.some((field) => field === name),
  )
  // Without the script the button can't wait: the server says what is wrong, or nobody takes it.
  const waitsForText = useHydrated() || !plain

  function sendLater(event: SyntheticEvent): void {
    event.preventDefault()
    setFailure(null)
    setWaits(true)
    const form = place.current
    hurry().catch(() => {
      setWaits(false)
      if (unjudged) form?.submit()
      else setFailure({ text: t('notReached'), status: 0 })
    })
  }

  const missing = empty.flatMap((field) => {
    const label = labels[field as FieldPath<Values>]
    return label === undefined ? [] : [{ field, label }]
  })
  return {
    form: live?.form ?? null,
    place,
    errorOf: live?.errorOf ?? ((field) => refused?.fields[field]),
    enteredOf: (field) => refused?.values[field],
    countOf:
      live?.countOf ??
      ((field, { max }) => {
        const length = lengthOf(normalizeText(refused?.values[field] ?? ''))
        return { count: t('count', { length, max }), over: false }
      }),
    alert: live === null ? (failure ?? alertOf(refused, labels)) : live.alert,
    busy: waits || live?.busy === true,
    // Before the rules have seen the fields they take all of them for empty.
    disabled: isReady ? live?.disabled === true : waitsForText && empty.length > 0,
    reason: isReady ? (
      live?.reason
    ) : missing.length > 0 ? (
      <FormReason missing={missing} wrong={[]} />
    ) : undefined,
    register: live?.register ?? ((name) => ({ name })),
    onSubmit: isReady && live !== null ? (event) => void live.onSubmit(event) : sendLater,
    engine,
    wake,
  }
}
