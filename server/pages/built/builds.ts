/** The builds of the web below dist/, as scripts/build.mjs leaves them: a folder each, and the file that names the newest. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { access, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const DIST = fileURLToPath(new URL('../../../dist', import.meta.url))
const NAME = /^[0-9a-f]{16}$/
const CHOICE = '--build='

/** Thrown with a sentence that says what to do. */
export class BuildError extends Error {}

/**
 * The folder that this process serves until its end: the one that its words name, else the newest. It notes itself
 * there, so that no later build takes the folder away. @throws BuildError when nothing is built
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
    // A folder that can't be written is swept by nobody either.
  }
  return folder
}

function readCurrent(): string {
  try {
    const name = readFileSync(join(DIST, 'current'), 'utf8').trim()
    if (NAME.test(name)) return name
  } catch {
    // Said below.
  }
  throw new BuildError('The pages are not built yet. `npm start` builds them, or `npm run build`.')
}

/** What Vite says of the browser's part of a build. */
export async function readManifest(folder: string): Promise<unknown> {
  return JSON.parse(await readFile(join(folder, 'client/.vite/manifest.json'), 'utf8')) as unknown
}

/** Finds the folder of a built file: in the build that is served, else in the others that are still there. */
export type FindAsset = (name: string) => Promise<string | null>

/** Pages that were opened before an upgrade ask for files of the build before; a node that is behind, for newer ones. */
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
