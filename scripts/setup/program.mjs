// Installs versions of the product beside each other, below /opt/knowledge-bazaar/releases.
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import process from 'node:process'
import { root } from '#scripts/commands.mjs'
import { Failure } from '#scripts/status.mjs'

export const HOME = '/opt/knowledge-bazaar'
/** A link to the version that runs. */
export const CURRENT = `${HOME}/current`
export const USER = 'knowledge-bazaar'
/** Of the programs of the system, whatever the caller's is. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
export const DATA = '/var/lib/knowledge-bazaar'

/** @typedef {import('./machine.mjs').Machine} Machine */

/** @param {string} folder */
export function versionOf(folder) {
  return String(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version)
}

/**
 * Installs the files of a folder as a version, all or nothing, and returns its path.
 * @param {Machine} machine
 * @param {string} files an unpacked release
 */
export function installFiles(machine, files) {
  const target = machine.pathOf(`${HOME}/releases/${versionOf(files)}`)
  if (existsSync(join(target, 'node_modules', '.cache', 'bazaar', 'installed'))) return target
  const draft = `${target}.new`
  rmSync(draft, { recursive: true, force: true })
  try {
    cpSync(files, draft, {
      recursive: true,
      filter: (source) => !/^(?:node_modules|data|\.git)$/.test(relative(files, source)),
    })
    const install = `import(${JSON.stringify(join(draft, 'scripts', 'install.mjs'))}).then((it) => it.ensureInstalled())`
    machine.run(process.execPath, ['-e', install], { cwd: draft })
    rmSync(target, { recursive: true, force: true })
    renameSync(draft, target)
    return target
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/**
 * Unpacks an archive of `npm run release` into a new temporary folder and gives it to `act`.
 * @template T
 * @param {Machine} machine
 * @param {string} archive
 * @param {(files: string) => T} act
 * @returns {T}
 */
export function withUnpacked(machine, archive, act) {
  if (!existsSync(archive)) throw new Failure(`There is no file ${archive}.`)
  const folder = mkdtempSync(join(tmpdir(), 'bazaar-unpacked-'))
  try {
    machine.run('tar', ['-C', folder, '--no-same-owner', '-xzf', archive])
    const [name = ''] = readdirSync(folder)
    if (!existsSync(join(folder, name, 'scripts', 'serve.mjs')))
      throw new Failure(`${archive} is no release of Knowledge Bazaar: npm run release makes one.`)
    return act(join(folder, name))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Installs this folder: a release as it is, a checkout by building a release of it.
 * @param {Machine} machine
 */
export function installThis(machine) {
  const files = realpathSync(root)
  if (!existsSync(join(files, 'web'))) return installFiles(machine, files)
  const folder = mkdtempSync(join(tmpdir(), 'bazaar-release-'))
  try {
    machine.run(process.execPath, [join(files, 'scripts', 'release.mjs'), '--to', folder])
    const archive = join(folder, `knowledge-bazaar-${versionOf(files)}.tar.gz`)
    return withUnpacked(machine, archive, (unpacked) => installFiles(machine, unpacked))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
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
