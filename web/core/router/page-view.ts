/** One of several looks of a page, of which its data tell which is shown: only that one is loaded. */
import {
  type ComponentType,
  createElement,
  lazy,
  type LazyExoticComponent,
  use,
  useEffect,
  useReducer,
} from 'react'
import { useLocation } from 'react-router'
import { openMessages } from '#web/core/messages.ts'
import { useSession } from '#web/core/session.ts'

/** What the router needs of a view, whatever it shows. */
export interface LoadableView {
  /** Its file below web/, without its ending; by it the server finds its files in the build. */
  readonly name: string
  /** Fetches it and its texts; resolves when it can be shown at once. */
  readonly load: () => Promise<unknown>
  /** What of it may come later, when a page that the server has rendered already is only read. */
  readonly parts?: readonly LoadableView[] | undefined
}

/** Loads a view with all of its parts, for who is shown it anew or may act on it. */
export async function loadWhole(view: LoadableView): Promise<void> {
  await Promise.all([view, ...(view.parts ?? [])].map(({ load }) => load()))
}

/** A view with its component. The router has loaded it before the component is rendered. */
export interface PageView<Props extends object> extends LoadableView {
  readonly View: ComponentType<Props>
}

/** A component that is fetched once, with its texts. */
export interface LazyComponent<Props extends object> {
  /** Resolves to the component. Rejects when a file can't be had now; then the next call asks again. */
  readonly load: () => Promise<ComponentType<Props>>
  /** The component, once it is there. */
  readonly loaded: () => ComponentType<Props> | undefined
}

/** Declares a component that is fetched with its texts. @param name as in LoadableView */
export function lazyComponent<Props extends object>(
  name: string,
  fetchComponent: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | undefined
  let loading: Promise<ComponentType<Props>> | undefined
  const load = async () => {
    const [component] = await Promise.all([fetchComponent(), openMessages(name)])
    return (loaded = component)
  }
  const loadOnce = () =>
    (loading ??= load().catch((error: unknown) => {
      // A file that can't be had now is asked for again.
      loading = undefined
      throw error
    }))
  return { load: loadOnce, loaded: () => loaded }
}

/**
 * Declares a view.
 *
 * @param name as in LoadableView
 * @param fetchView imports the component
 * @param parts as in LoadableView
 */
export function pageView<Props extends object>(
  name: string,
  fetchView: () => Promise<ComponentType<Props>>,
  parts?: readonly LoadableView[],
): PageView<Props> {
  const { load, loaded } = lazyComponent(name, fetchView)
  // The component is always the same one: it is loaded once.
  const View = (props: Props) => createElement(loaded() ?? use(load()), props)
  return { name, load, parts, View }
}

/**
 * Declares a part that guests are never shown, to be named among its view's `parts`, or among those of the frame: with
 * them it is there for the signed-in from the start. For who has just signed in it shows as soon as it is fetched.
 *
 * @param name as in LoadableView
 * @param fetchPart imports the component
 */
export function personPart<Props extends object>(
  name: string,
  fetchPart: () => Promise<ComponentType<Props>>,
): PageView<Props> {
  const { load, loaded } = lazyComponent(name, fetchPart)
  const View = (props: Props) => {
    const [, render] = useReducer((count: number) => count + 1, 0)
    const isGuest = useSession() === null
    const { key: place } = useLocation()
    const Loaded = loaded()
    const isMissing = Loaded === undefined && !isGuest
    useEffect(() => {
      // A file that can't be had now is asked for again with the next page.
      if (isMissing) load().then(render, () => {})
    }, [isMissing, place])
    // On a server it is loaded for everybody once somebody signed in has been shown it.
    return isGuest || Loaded === undefined ? null : createElement(Loaded, props)
  }
  return { name, load, View }
}

/**
 * Declares what is shown after a press only, such as a dialog: it is fetched, with its texts, by the first press. To be
 * rendered inside of a Suspense.
 *
 * @param name as in LoadableView
 * @param fetchPart imports the component
 */
export function lazyPart<Props extends object>(
  name: string,
  fetchPart: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  const { load } = lazyComponent(name, fetchPart)
  return lazy(async () => ({ default: await load() }))
}
