/** The route table as the router's tree. */
import type { RouteObject } from 'react-router'
import { routePage } from '#web/core/router/route-page.ts'
import { ErrorPage } from '#web/layout/ErrorPage.tsx'
import { Root } from '#web/root.tsx'
import { routeTable } from '#web/routes.ts'

/** A fresh tree each time: a router resolves the lazy parts into it. */
export function createRoutes(): RouteObject[] {
  const pages = routeTable.map(([path, access, name, page]) =>
    routePage({ path, access, name, page }),
  )
  // Two layers, so that a page that fails keeps the header and the footer round the error.
  return [
    {
      id: 'root',
      Component: Root,
      ErrorBoundary: ErrorPage,
      children: [{ id: 'page', ErrorBoundary: ErrorPage, children: pages }],
    },
  ]
}
