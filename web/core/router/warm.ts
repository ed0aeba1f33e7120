import { matchRoutes, type RouteObject } from 'react-router'

/** Loads the code of a page as soon as the pointer or the focus is on a link to it. */
export function warmOnApproach(routes: RouteObject[]): void {
  const warmed = new Set<string>()
  function warm(path: string): void {
    for (const { route } of matchRoutes(routes, path) ?? []) {
      if (route.id === undefined || warmed.has(route.id) || typeof route.lazy !== 'function')
        continue
      warmed.add(route.id)
      // The click tries again if the file cannot be loaded now.
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

/** Returns null for links to other sites. */
function pathOf(link: HTMLAnchorElement): string | null {
  return link.origin === window.location.origin ? link.pathname : null
}
