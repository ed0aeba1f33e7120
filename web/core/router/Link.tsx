/** The router's link. On the server, where nothing can be clicked, it is written as the anchor that it becomes. */
import type { ComponentProps, ComponentType } from 'react'
import { Link as RouterLink } from 'react-router'

type Unused =
  | 'discover'
  | 'prefetch'
  | 'relative'
  | 'reloadDocument'
  | 'mask'
  | 'defaultShouldRevalidate'

/** As the router's, but only to a path of ours (`to.lesson(7)`), which hangs on no place where it stands. */
interface LinkProps extends Omit<ComponentProps<typeof RouterLink>, Unused> {
  readonly to: string
}

/** The same markup without the router's hooks, which took a seventh of the time of a page with many links. */
function PlainLink({
  to,
  // What only matters to a click.
  state: _state,
  replace: _replace,
  preventScrollReset: _preventScrollReset,
  viewTransition: _viewTransition,
  ...rest
}: LinkProps) {
  return <a {...rest} href={to} data-discover="true" />
}

/** Leads to another page of ours without loading the document again. */
export const Link: ComponentType<LinkProps> = import.meta.env.SSR ? PlainLink : RouterLink
