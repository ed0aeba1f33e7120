/** The built web, as this room knows it: one function from a request to HTML. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rendererOf, type Assets, type PageRenderer } from '#contract/render.ts'
import { readAssets } from '#server/pages/built/assets.ts'
import { readManifest, takeBuild } from '#server/pages/built/builds.ts'
import { findWorkshop, openWorkshop, type Workshop } from '#server/pages/workshop.ts'

/** What renders pages, and the files that they need in a browser. */
export interface Renderer extends PageRenderer<AbortSignal> {
  /** Of the build. */
  readonly folder: string
  readonly assets: Assets
  /** Only while pages are developed; they are never cached then. */
  readonly workshop?: Workshop
}

/**
 * The pages that a process serves: of the build that its words name, else the newest, or from their sources.
 *
 * @param words of the command line
 * @throws BuildError when nothing is built
 */
export async function openRenderer(words: readonly string[]): Promise<Renderer> {
  const workshop = findWorkshop(words)
  return workshop === undefined ? loadBuild(takeBuild(words)) : openWorkshop(workshop)
}

/** Imports a build. @throws when the folder holds none */
async function loadBuild(folder: string): Promise<Renderer> {
  const entry: unknown = await import(pathToFileURL(join(folder, 'server/entry.server.js')).href)
  return { ...rendererOf(entry), folder, assets: readAssets(await readManifest(folder)) }
}
