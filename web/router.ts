import type { RouteObject } from 'react-router'
import { routePage } from '#web/core/router/route-page.ts'
import { ErrorPage } from '#web/layout/ErrorPage.tsx'
import { Root } from '#web/root.tsx'
import { routeTable } from '#web/routes.ts'

/**
 * Returns a new tree each time, because a router resolves lazy routes within it. A second layer of error boundary
 * keeps header and footer around a failed page.
 */
export function createRoutes(): RouteObject[] {
  const pages = routeTable.map(([path, access, , page, texts]) =>
    routePage({ path, access, page, texts }),
  )
  return [
    {
      id: 'root',
      Component: Root,
      ErrorBoundary: ErrorPage,
      children: [{ ErrorBoundary: ErrorPage, children: pages }],
    },
  ]
}
