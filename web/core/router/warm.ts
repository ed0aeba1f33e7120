import { matchRoutes, type RouteObject } from 'react-router'

/**
 * Fetches the code of the page that a link leads to as soon as one points at it, so that the step takes its data only.
 * @param findPages gives the pages that the router knows; fetches them, when they have not come yet
 */
export function warmOnApproach(findPages: () => Promise<RouteObject[]>): void {
  const warmed = new Set<string>()
  async function warm(path: string): Promise<void> {
    for (const { route } of matchRoutes(await findPages(), path) ?? []) {
      if (route.id === undefined || warmed.has(route.id) || typeof route.lazy !== 'function')
        continue
      warmed.add(route.id)
      // A file that can't be had now is asked for again by the click.
      route.lazy().catch(() => warmed.delete(route.id ?? ''))
    }
  }
  function approach({ target }: Event): void {
    const step = target instanceof Element ? target.closest('a, form') : null
    // A form leads to another page too, to one that only its answer names.
    const path = step instanceof HTMLAnchorElement ? pathOf(step) : ''
    if (step !== null && path !== null) warm(path).catch(() => {})
  }
  for (const sign of ['pointerover', 'touchstart', 'focusin']) {
    document.addEventListener(sign, approach, { passive: true })
  }
}

/** Null for a link that leaves the site. */
function pathOf(link: HTMLAnchorElement): string | null {
  return link.origin === window.location.origin ? link.pathname : null
}
