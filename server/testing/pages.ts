/** Renders pages from source, so that tests need no build and never use an outdated one. */
import { rendererOf } from '#contract/render.ts'
import type { Renderer } from '#server/pages/renderer.ts'

/** Only the test runner can resolve this file. The name is typed as a string to hide it from the type checker. */
const ENTRY: string = '#web/entry.server.tsx'

/** Loads the renderer from source. Its pages have no scripts and styles. */
export async function loadSourceRenderer(): Promise<Renderer> {
  const entry: unknown = await import(/* @vite-ignore */ ENTRY)
  return {
    ...rendererOf(entry),
    folder: '',
    assets: { script: '', styles: [], pages: {}, messages: {} },
  }
}

const ROUTES: string = '#web/routes.ts'

/** Returns path and access of each route. */
export async function loadRouteTable(): Promise<readonly (readonly [string, string])[]> {
  const { routeTable } = (await import(/* @vite-ignore */ ROUTES)) as {
    routeTable: readonly (readonly [string, string])[]
  }
  return routeTable
}
