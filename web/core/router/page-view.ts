/** One of several looks of a page, of which its data tell which is shown: only that one is loaded. */
import { type ComponentType, createElement, use } from 'react'

/** What the router needs of a view, whatever it shows. */
export interface LoadableView {
  /** Its file below web/, without its ending; by it the server finds its files in the build. */
  readonly name: string
  /** Resolves when it can be shown at once. */
  readonly load: () => Promise<unknown>
}

/** A view with its component. The router has loaded it before the component is rendered. */
export interface PageView<Props extends object> extends LoadableView {
  readonly View: ComponentType<Props>
}

/**
 * Declares a view.
 *
 * @param name as in LoadableView
 * @param fetchView imports the component
 */
export function pageView<Props extends object>(
  name: string,
  fetchView: () => Promise<ComponentType<Props>>,
): PageView<Props> {
  let shown: ComponentType<Props> | undefined
  let loading: Promise<ComponentType<Props>> | undefined
  const load = async () => (shown = await fetchView())
  const loadOnce = () =>
    (loading ??= load().catch((error: unknown) => {
      // A file that can't be had now is asked for again.
      loading = undefined
      throw error
    }))
  // The component is always the same one: it is loaded once.
  const View = (props: Props) => createElement(shown ?? use(loadOnce()), props)
  return { name, load: loadOnce, View }
}
