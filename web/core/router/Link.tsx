/** react-router's link. The server renders it as a plain anchor, because nothing can be clicked there. */
import type { ComponentProps, ComponentType } from 'react'
import { Link as RouterLink } from 'react-router'

type Unused =
  | 'discover'
  | 'prefetch'
  | 'relative'
  | 'reloadDocument'
  | 'mask'
  | 'defaultShouldRevalidate'

/** Accepts only absolute paths on this site, such as `to.lesson(7)`. */
interface LinkProps extends Omit<ComponentProps<typeof RouterLink>, Unused> {
  readonly to: string
}

/** Skips the router's hooks, which took a seventh of the rendering time of a page with many links. */
function PlainLink({
  to,
  // These props only matter for a click.
  state: _state,
  replace: _replace,
  preventScrollReset: _preventScrollReset,
  viewTransition: _viewTransition,
  ...rest
}: LinkProps) {
  return <a {...rest} href={to} data-discover="true" />
}

export const Link: ComponentType<LinkProps> = import.meta.env.SSR ? PlainLink : RouterLink
