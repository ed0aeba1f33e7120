import { matchRoutes, type RouteObject } from 'react-router'

/**
 * Fetches the code of the page that a link leads to as soon as one points at it, so that the step takes its data only.
 *
 * @param routes those that the router knows
 */
export function warmOnApproach(routes: RouteObject[]): void {
  const warmed = new Set<string>()
  function warm(path: string): void {
    for (const { route } of matchRoutes(routes, path) ?? []) {
      if (route.id === undefined || warmed.has(route.id) || typeof route.lazy !== 'function')
        continue
      warmed.add(route.id)
      // A file that can't be had now is asked for again by the click.
      route.lazy().catch(() => warmed.delete(route.id ?? ''))
    }
  }
  function approach({ target }: Event): void {
    const link = target instanceof Element ? target.closest('a') : null
    const path = link === null ? null : pathOf(link)
    if (path !== null) warm(path)
  }
  for (const sign of ['pointerover', 'touchstart', 'focusin']) {
    document.addEventListener(sign, approach, { passive: true })
  }
}

/** Null for a link that leaves the site. */
function pathOf(link: HTMLAnchorElement): string | null {
  return link.origin === window.location.origin ? link.pathname : null
}
