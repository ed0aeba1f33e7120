import type { RouteObject } from 'react-router'

/** Loads lazy routes in advance, so that rendering and hydration need not wait. */
export async function resolveRoutes(routes: readonly RouteObject[]): Promise<void> {
  await Promise.all(
    routes.map(async (route) => {
      if (typeof route.lazy !== 'function') return
      const parts = await route.lazy()
      delete route.lazy
      Object.assign(route, parts)
    }),
  )
}
