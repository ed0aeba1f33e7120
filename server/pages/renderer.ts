/** Loads the built web, which is one function from a request to HTML. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rendererOf, type Assets, type PageRenderer } from '#contract/render.ts'
import { readAssets } from '#server/pages/built/assets.ts'
import { readManifest, takeBuild } from '#server/pages/built/builds.ts'
import { findWorkshop, openWorkshop, type Workshop } from '#server/pages/workshop.ts'

export interface Renderer extends PageRenderer<AbortSignal> {
  /** The folder of the build. */
  readonly folder: string
  readonly assets: Assets
  /** Set only during development; pages are then never cached. */
  readonly workshop?: Workshop
}

/**
 * Opens the renderer of a process: that of the build named on the command line, the newest build, or the sources.
 *
 * @param words of the command line
 * @throws BuildError when nothing is built
 */
export async function openRenderer(words: readonly string[]): Promise<Renderer> {
  const workshop = findWorkshop(words)
  return workshop === undefined ? loadBuild(takeBuild(words)) : openWorkshop(workshop)
}

/** @throws when the folder contains no build */
async function loadBuild(folder: string): Promise<Renderer> {
  const entry: unknown = await import(pathToFileURL(join(folder, 'server/entry.server.js')).href)
  return { ...rendererOf(entry), folder, assets: readAssets(await readManifest(folder)) }
}
