/** Pages as the router's tree. */
import type { RouteObject } from 'react-router'
import { routePage } from '#web/core/router/route-page.ts'
import { ErrorPage } from '#web/layout/ErrorPage.tsx'
import { Root } from '#web/root.tsx'
import { routeTable } from '#web/routes.ts'

/**
 * The tree of all pages, a fresh one each time: a router resolves the lazy parts into it. It has two layers, so that a
 * page that fails keeps the header and the footer around the error.
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
