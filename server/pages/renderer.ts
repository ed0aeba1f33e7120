/** The built web, as this room knows it: one function from a request to HTML. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rendererOf, type Assets, type PageRenderer } from '#contract/render.ts'
import { readAssets } from '#server/pages/built/assets.ts'
import { readManifest } from '#server/pages/built/builds.ts'

/** What renders pages, and the files that they need in a browser. */
export interface Renderer extends PageRenderer<AbortSignal> {
  /** Of the build. */
  readonly folder: string
  readonly assets: Assets
}

/** Imports a build (see takeBuild). @throws when the folder holds none */
export async function loadRenderer(folder: string): Promise<Renderer> {
  const entry: unknown = await import(pathToFileURL(join(folder, 'server/entry.server.js')).href)
  return { ...rendererOf(entry), folder, assets: readAssets(await readManifest(folder)) }
}
