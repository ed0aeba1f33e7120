/**
 * A part of a page that readers need no script for until they act on it. The server renders it with the page; in the
 * browser its HTML stays as it came, and its code is fetched when somebody points at it or acts on it, when the page
 * changes its language, or when it has been open for a while. A press that comes before the code is done again once the part lives.
 */
import {
  type ComponentType,
  createElement,
  type RefObject,
  useEffect,
  useReducer,
  useRef,
} from 'react'
import { useText } from '#web/core/i18n.tsx'
import { lazyComponent, type LoadableView } from '#web/core/router/page-view.ts'
import { reloadIfUpgraded } from '#web/core/router/upgrade.ts'
import { useSession } from '#web/core/session.ts'

/** After that time without any need the part is fetched all the same: what it shows of others' acts goes on. */
const QUIET_MS = 8000
const STEPS = 'a, button'
/** What comes before a press. */
const APPROACHES = ['pointerover', 'touchstart', 'focusin']
/** What ends one. */
const ENDS = ['pointerup', 'pointercancel']
const UNTOUCHED = { __html: '' }

/** A part and what loads it. */
export interface PartAtNeed<Props extends object> extends LoadableView {
  readonly Part: ComponentType<Props>
}

/**
 * Declares a part, to be named among its view's `parts`.
 *
 * @param name its file below web/, without its ending
 * @param fetchPart imports the component
 */
export function partAtNeed<Props extends object>(
  name: string,
  fetchPart: () => Promise<ComponentType<Props>>,
): PartAtNeed<Props> {
  const { load, loaded } = lazyComponent(name, fetchPart)
  function Part(props: Props) {
    const box = useRef<HTMLDivElement>(null)
    const Live = loaded()
    useNeed(box, Live === undefined, load)
    if (Live === undefined)
      // React leaves alone what is inside: it is the server's HTML of the same part.
      return (
        <div key="html" ref={box} suppressHydrationWarning dangerouslySetInnerHTML={UNTOUCHED} />
      )
    return (
      <div key="live" ref={box}>
        {createElement(Live, props)}
      </div>
    )
  }
  return { name, load, Part }
}

/** Loads a part at its first need and renders it, with the focus and the press that its HTML had. */
function useNeed(
  box: RefObject<HTMLElement | null>,
  waits: boolean,
  load: () => Promise<unknown>,
): void {
  const [, render] = useReducer((count: number) => count + 1, 0)
  const isGuest = useSession() === null
  const { locale } = useText()
  const cameIn = useRef(locale)
  // Numbers among the part's steps: its elements are made anew when it comes to life.
  const pressed = useRef(-1)
  const focused = useRef(-1)
  useEffect(() => {
    const html = box.current
    if (!waits || html === null) return undefined
    const stepOf = (element: Element | null) =>
      [...html.querySelectorAll(STEPS)].findIndex((step) => step.contains(element))
    let press: PromiseWithResolvers<void> | undefined
    const wake = async () => {
      try {
        await load()
        // What is made anew between the two halves of a press would lose it.
        await press?.promise
      } catch {
        // The next need asks again; a press must not be lost to an upgrade.
        if (pressed.current >= 0) await reloadIfUpgraded()
        return
      }
      focused.current = html.contains(document.activeElement) ? stepOf(document.activeElement) : -1
      render()
    }
    const needed = () => void wake()
    const onClick = ({ target }: Event) => {
      const button = target instanceof Element ? target.closest('button') : null
      if (button !== null) pressed.current = stepOf(button)
      needed()
    }
    const onDown = () => {
      press ??= Promise.withResolvers()
    }
    const onUp = () => {
      // Its click comes right after.
      setTimeout(() => {
        press?.resolve()
        press = undefined
      })
    }
    const quiet = setTimeout(needed, QUIET_MS)
    html.addEventListener('click', onClick)
    html.addEventListener('pointerdown', onDown)
    for (const end of ENDS) window.addEventListener(end, onUp)
    for (const approach of APPROACHES) html.addEventListener(approach, needed, { passive: true })
    // Who signs in meanwhile may do more here than the HTML offers; and it speaks the language that it came in.
    if (!isGuest || locale !== cameIn.current) needed()
    return () => {
      clearTimeout(quiet)
      html.removeEventListener('click', onClick)
      html.removeEventListener('pointerdown', onDown)
      for (const end of ENDS) window.removeEventListener(end, onUp)
      for (const approach of APPROACHES) html.removeEventListener(approach, needed)
      press?.resolve()
    }
  }, [box, waits, load, isGuest, locale])
  useEffect(() => {
    if (waits) return
    const steps = box.current?.querySelectorAll<HTMLElement>(STEPS)
    steps?.[focused.current]?.focus({ preventScroll: true })
    steps?.[pressed.current]?.click()
    focused.current = -1
    pressed.current = -1
  }, [box, waits])
}
