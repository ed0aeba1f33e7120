import { matchRoutes, type RouteObject } from 'react-router'

/**
 * Fetches the code of the page that a link leads to as soon as one points at it, so that the step takes its data only.
 * @param routes the table that the router runs on
 */
export function warmOnApproach(routes: RouteObject[]): void {
  const warmed = new Set<string>()
  function warm(event: Event): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link === null || link.origin !== window.location.origin) return
    for (const { route } of matchRoutes(routes, link.pathname) ?? []) {
      if (route.id === undefined || warmed.has(route.id) || typeof route.lazy !== 'function')
        continue
      warmed.add(route.id)
      // A file that can't be had now is asked for again by the click.
      route.lazy().catch(() => warmed.delete(route.id ?? ''))
    }
  }
  for (const approach of ['pointerover', 'touchstart', 'focusin']) {
    document.addEventListener(approach, warm, { passive: true })
  }
}
