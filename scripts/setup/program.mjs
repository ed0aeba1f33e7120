// Installs versions of the product beside each other, below /opt/knowledge-bazaar/releases.
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { root } from '#scripts/commands.mjs'
import { alone } from '#scripts/lock.mjs'
import { Failure } from '#scripts/status.mjs'

export const HOME = '/opt/knowledge-bazaar'
/** A link to the version that runs. */
export const CURRENT = `${HOME}/current`
export const USER = 'knowledge-bazaar'
/** Of the programs of the system, whatever the caller's is. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
export const DATA = '/var/lib/knowledge-bazaar'
/** Parts of a folder that don't belong to a version: packages, data, and marks of running processes. */
const LEFT_OUT = /^(?:node_modules|data|\.git)(?:\/|$)|(?:^|\/)used-by(?:\/|$)/

/** @typedef {import('./machine.mjs').Machine} Machine */

/** @param {string} folder */
export function versionOf(folder) {
  return String(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version)
}

/** @param {string} files */
const listFiles = (files) =>
  readdirSync(files, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(files.length + 1))
    .filter((file) => !LEFT_OUT.test(file))
    .toSorted()

/**
 * Installs the files of a folder as a version, all or nothing, and returns its path. Its name has the number and a
 * checksum of the files, because two archives may have one number.
 * @param {Machine} machine
 * @param {string} files an unpacked release
 */
export function installFiles(machine, files) {
  const listed = listFiles(files)
  const hash = createHash('sha256')
  for (const file of listed) hash.update(`${file}\0`).update(readFileSync(join(files, file)))
  const name = `${versionOf(files)}-${hash.digest('hex').slice(0, 12)}`
  const releases = machine.pathOf(`${HOME}/releases`)
  const target = join(releases, name)
  if (existsSync(join(target, 'node_modules', '.cache', 'bazaar', 'installed'))) return target
  mkdirSync(releases, { recursive: true })
  removeDrafts(releases)
  // An npm that outlived its installation may still write into the draft of that.
  const draft = `${target}.${process.pid}.new`
  try {
    for (const file of listed) cpSync(join(files, file), join(draft, file))
    const install = `import(${JSON.stringify(join(draft, 'scripts', 'install.mjs'))}).then((it) => it.ensureInstalled())`
    machine.run(process.execPath, ['-e', install], { cwd: draft })
    // The user of the server reads them, whatever the umask of the one who packed them was.
    machine.run('chmod', ['-R', 'go+rX,go-w', draft])
    rmSync(target, { recursive: true, force: true })
    renameSync(draft, target)
    return target
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Removes what installations that were killed have left. @param {string} releases */
function removeDrafts(releases) {
  for (const name of readdirSync(releases).filter((each) => each.endsWith('.new')))
    try {
      rmSync(join(releases, name), { recursive: true, force: true })
    } catch {
      // It is still written to. The next installation removes it.
    }
}

/**
 * Gives `act` an empty folder below HOME, because /tmp may be in memory. One process at a time has it.
 * @template T
 * @param {Machine} machine
 * @param {(folder: string) => T | Promise<T>} act
 * @returns {Promise<T>}
 */
export function withScratch(machine, act) {
  const home = machine.pathOf(HOME)
  const folder = join(home, 'scratch')
  mkdirSync(home, { recursive: true })
  return alone(
    'changing',
    async () => {
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(folder, { mode: 0o700 })
      try {
        return await act(folder)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
    home,
  )
}

/**
 * Unpacks an archive of `npm run release` and returns the path of its files.
 * @param {Machine} machine
 * @param {string} archive
 * @param {string} scratch
 */
export function unpack(machine, archive, scratch) {
  const folder = join(scratch, 'unpacked')
  mkdirSync(folder)
  machine.run('tar', ['-C', folder, '--no-same-owner', '-xzf', archive])
  const [name = ''] = readdirSync(folder)
  if (!existsSync(join(folder, name, 'scripts', 'serve.mjs')))
    throw new Failure(`${archive} is no release of Knowledge Bazaar: npm run release makes one.`)
  return join(folder, name)
}

/**
 * Builds a release of a checkout and returns the path of the archive.
 * @param {Machine} machine @param {string} checkout @param {string} scratch
 */
export function buildRelease(machine, checkout, scratch) {
  const script = join(checkout, 'scripts', 'release.mjs')
  const env = { ...process.env, TMPDIR: scratch }
  machine.run(process.execPath, [script, '--to', scratch], { cwd: checkout, env })
  return join(scratch, `knowledge-bazaar-${versionOf(checkout)}.tar.gz`)
}

/**
 * Installs this folder, a release as it is, a checkout by building a release of it. Returns the path of the version.
 * @param {Machine} machine
 */
export function installThis(machine) {
  const files = realpathSync(root)
  if (!existsSync(join(files, 'web'))) return Promise.resolve(installFiles(machine, files))
  return withScratch(machine, (scratch) =>
    installFiles(machine, unpack(machine, buildRelease(machine, files, scratch), scratch)),
  )
}

/**
 * Runs a command of a version with the settings of the installation and as its user.
 * @param {Machine} machine
 * @param {string} folder of the version
 * @param {string[]} words
 * @param {Record<string, string>} settings
 */
export function runAsUser(machine, folder, words, settings) {
  const node = join(folder, 'node_modules', '.bin', 'node')
  const env = {
    PATH: SYSTEM_PATH,
    HOME: DATA,
    TMPDIR: `${DATA}/tmp`,
    NODE_ENV: 'production',
    DATA_DIR: DATA,
    ...settings,
  }
  return machine.run('runuser', ['-u', USER, '--', node, ...words], { cwd: folder, env })
}
