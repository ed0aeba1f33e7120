/**
 * The web builds below dist/, as scripts/build.mjs writes them: a folder each, and a file that names the newest.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { access, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const DIST = fileURLToPath(new URL('../../../dist', import.meta.url))
const NAME = /^[0-9a-f]{16}$/
const CHOICE = '--build='

/** Its message says what to do. */
export class BuildError extends Error {}

/**
 * Returns the build that this process serves until it ends: the one named on the command line, or else the newest.
 * Marks it as used, so that no later build removes it. @throws BuildError when nothing is built
 */
export function takeBuild(words: readonly string[]): string {
  const chosen = words.find((word) => word.startsWith(CHOICE))?.slice(CHOICE.length)
  const folder = chosen ?? join(DIST, readCurrent())
  const mark = join(folder, 'used-by', String(process.pid))
  try {
    mkdirSync(dirname(mark), { recursive: true })
    writeFileSync(mark, '')
    process.once('exit', () => rmSync(mark, { force: true }))
  } catch {
    // If the folder isn't writable, no build can remove it either.
  }
  return folder
}

function readCurrent(): string {
  try {
    const name = readFileSync(join(DIST, 'current'), 'utf8').trim()
    if (NAME.test(name)) return name
  } catch {
    // The error below explains it.
  }
  throw new BuildError('The pages are not built yet. `npm start` builds them, or `npm run build`.')
}

/** Reads Vite's manifest of the browser build. */
export async function readManifest(folder: string): Promise<unknown> {
  return JSON.parse(await readFile(join(folder, 'client/.vite/manifest.json'), 'utf8')) as unknown
}

/** Finds the folder of a built file: the served build, or another one that still exists. */
export type FindAsset = (name: string) => Promise<string | null>

/**
 * Pages opened before an upgrade request files of the previous build, and a page of a newer node requests files of
 * a newer one.
 */
export async function createAssetFinder(folder: string): Promise<FindAsset> {
  const own = join(folder, 'client/assets')
  const names = new Set(await readdir(own).catch(() => []))
  return async (name) => {
    if (names.has(name)) return own
    const builds = await readdir(dirname(folder)).catch(() => [])
    for (const build of builds.filter((entry) => NAME.test(entry))) {
      const assets = join(dirname(folder), build, 'client/assets')
      const isThere = await access(join(assets, name)).then(
        () => true,
        () => false,
      )
      if (isThere) return assets
    }
    return null
  }
}
