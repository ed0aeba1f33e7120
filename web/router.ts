/** Pages as the router's tree. */
import type { RouteObject } from 'react-router'
import { routePage } from '#web/core/router/route-page.ts'
import { ErrorPage } from '#web/layout/ErrorPage.tsx'
import { Root, RootError } from '#web/root.tsx'
import type { RouteLine } from '#web/routes.ts'

/** The id of the layer that the pages stand in. */
export const PAGES = 'page'

/** Lines of the route table as the router's. Fresh ones each time: a router resolves the lazy parts into them. */
export function pagesOf(lines: readonly RouteLine[]): RouteObject[] {
  return lines.map(([path, access, name, page]) => routePage({ path, access, name, page }))
}

/** The tree with these pages. Two layers, so that a page that fails keeps the header and the footer round the error. */
export function createRoutes(pages: RouteObject[]): RouteObject[] {
  return [
    {
      id: 'root',
      Component: Root,
      ErrorBoundary: RootError,
      children: [{ id: PAGES, ErrorBoundary: ErrorPage, children: pages }],
    },
  ]
}
