/**
 * A form that stands there without its rules: they, and the library that keeps its state, are 27 KB, and are fetched
 * when somebody comes to it. Its fields are the same ones before and after, so what they hold, where the caret is and
 * what the browser has filled in stays. Sent before, it waits for them; where they can't be had, the server judges it.
 */
import {
  type ComponentType,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { DefaultValues, FieldValues } from 'react-hook-form'
import type { FormOptions, FormState } from '#web/core/form/form.ts'
import { alertOf, useRefused } from '#web/core/form/refused.ts'
import type { RulesProps } from '#web/core/form/rules.ts'
import type { LazyComponent } from '#web/core/router/page-view.ts'

/** What comes before anything is filled in: by hand, by key, or by the browser itself. */
const SIGNS = ['pointerover', 'touchstart', 'focusin', 'input', 'change']
/** How long a form that was sent waits for its rules. */
const PATIENCE_MS = 5000

interface OptionsAtNeed<Values extends FieldValues> extends Pick<
  FormOptions<Values>,
  'labels' | 'required' | 'send'
> {
  readonly rules: LazyComponent<RulesProps<Values>>
}

interface FormAtNeed<Values extends FieldValues> extends Pick<
  FormState<Values>,
  'errorOf' | 'enteredOf' | 'alert' | 'busy' | 'disabled' | 'reason'
> {
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
}

/**
 * The state of one form whose address takes it without script too (`plain`), and whose fields have no first values.
 * @param options what judges it, once that is there, and what to do with good values
 */
export function useFormAtNeed<Values extends FieldValues>(
  options: OptionsAtNeed<Values>,
): FormAtNeed<Values> {
  const { rules, labels, required, send } = options
  const refused = useRefused()
  const place = useRef<HTMLFormElement>(null)
  const { Rules, hurry } = useFirstSign(place, rules)
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
  const words = JSON.stringify({ labels, required })
  const engine = useMemo(() => {
    if (Rules === null) return null
    const known = {
      ...(JSON.parse(words) as Pick<FormOptions<Values>, 'labels' | 'required'>),
      // No first values: what was typed before the script came stays.
      defaults: {} as DefaultValues<Values>,
      plain: true,
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

  function sendLater(event: SyntheticEvent): void {
    event.preventDefault()
    setWaits(true)
    const form = place.current
    hurry().catch(() => {
      setWaits(false)
      form?.submit()
    })
  }

  return {
    place,
    errorOf: live?.errorOf ?? ((field) => refused?.fields[field]),
    enteredOf: (field) => refused?.values[field],
    alert: live === null ? alertOf(refused, labels) : live.alert,
    busy: waits || live?.busy === true,
    // Before it has seen the fields it takes all of them for empty.
    disabled: isReady && live?.disabled === true,
    reason: isReady ? live?.reason : undefined,
    register: live?.register ?? ((name) => ({ name })),
    onSubmit: isReady && live !== null ? (event) => void live.onSubmit(event) : sendLater,
    engine,
  }
}

/**
 * Loads the rules at the first sign that somebody comes to the form.
 * @returns them, once they are there; and what loads them now, and rejects when they don't come in time
 */
function useFirstSign<Values extends FieldValues>(
  place: RefObject<HTMLFormElement | null>,
  { load }: LazyComponent<RulesProps<Values>>,
) {
  const [Rules, setRules] = useState<ComponentType<RulesProps<Values>> | null>(null)
  const isMissing = Rules === null
  useEffect(() => {
    const form = place.current
    if (!isMissing || form === null) return undefined
    const begin = () => {
      // What can't be had now is asked for by the next sign.
      load().then(
        (loaded) => setRules(() => loaded),
        () => {},
      )
    }
    for (const sign of SIGNS) form.addEventListener(sign, begin, { passive: true })
    // Somebody was faster than the script.
    if (form.contains(document.activeElement)) begin()
    return () => {
      for (const sign of SIGNS) form.removeEventListener(sign, begin)
    }
  }, [place, load, isMissing])
  async function hurry(): Promise<void> {
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('the rules of the form are late')), PATIENCE_MS)
    })
    const loaded = await Promise.race([load(), late])
    setRules(() => loaded)
  }
  return { Rules, hurry }
}
