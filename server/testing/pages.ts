/** The pages, rendered from their sources: tests of pages need no build, and never look at an old one. */
import { rendererOf } from '#contract/render.ts'
import type { Renderer } from '#server/pages/renderer.ts'

/** Only the test runner can load what the build makes; the type checker of this room may not see its name. */
const ENTRY: string = '#web/entry.server.tsx'

/** The renderer from source, without a build: pages have no scripts and styles. */
export async function loadSourceRenderer(): Promise<Renderer> {
  const entry: unknown = await import(/* @vite-ignore */ ENTRY)
  return {
    ...rendererOf(entry),
    folder: '',
    assets: { script: '', styles: [], pages: {}, messages: {} },
  }
}

const ROUTES: string = '#web/routes.ts'

/** The route table's rows: path and access. */
export async function loadRouteTable(): Promise<readonly (readonly [string, string])[]> {
  const { routeTable } = (await import(/* @vite-ignore */ ROUTES)) as {
    routeTable: readonly (readonly [string, string])[]
  }
  return routeTable
}
