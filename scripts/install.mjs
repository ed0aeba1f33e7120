// Installs the packages of package-lock.json, and the Node version that the product needs.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { machineEnvironment, quietly, root } from './commands.mjs'
import { alone } from './lock.mjs'
import { Failure, step } from './status.mjs'

const OLDEST_TO_START = 20
const OLDEST_TO_SERVE = 24

/** A release has no sources of the pages, so nothing is built from it and the tools for that stay out. */
const isRelease = !existsSync(join(root, 'web'))

const modules = join(root, 'node_modules')
const stampFile = join(modules, '.cache', 'bazaar', 'installed')

/** @returns {Promise<string>} the path of the Node to run the product with */
export async function ensureInstalled() {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_TO_START) {
    throw new Failure(
      `Node ${OLDEST_TO_START} or newer is needed to start, and this is ${process.versions.node}. ` +
        'Get a newer one from https://nodejs.org and try again.',
    )
  }
  if (!isInstalled()) {
    await alone('install', async () => {
      if (isInstalled()) return
      await step('Installing packages, about a minute the first time', installPackages)
      writeStamp()
    })
  }
  return findNode()
}

/**
 * Checks whether node_modules matches package-lock.json. A stamp file stores the result, because comparing all
 * packages at each start takes time.
 */
export function isInstalled() {
  if (readText(stampFile) === wanted()) return true
  if (!isComplete()) return false
  writeStamp()
  return true
}

function wanted() {
  return createHash('sha256')
    .update(`${process.platform} ${process.arch} `)
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
}

function writeStamp() {
  mkdirSync(dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, wanted())
}

/** After a manual `npm ci`, npm's own record, which it writes last, lists every package. */
function isComplete() {
  const record = readText(join(modules, '.package-lock.json'))
  if (record === undefined) return false
  const there = JSON.parse(record).packages
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  return Object.entries(lock).every(
    ([path, { version, optional, link, dev }]) =>
      // Our own packages are not in node_modules.
      !path.startsWith('node_modules/') ||
      optional ||
      link ||
      (dev && isRelease) ||
      there[path]?.version === version,
  )
}

/** @param {string} path */
function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

async function installPackages() {
  const env = { ...machineEnvironment(), npm_config_loglevel: 'error' }
  const dev = isRelease ? '--omit=dev' : '--include=dev'
  await quietly('install', 'npm', ['ci', '--no-audit', '--no-fund', dev], { env })
  if (isRelease) removeUnused()
}

/**
 * Removes what no process of a release reads: the compiler, which a package names as optional, what came with Node
 * besides its program, and declarations, source maps and texts. It is a quarter of all.
 */
function removeUnused() {
  const unused = ['typescript', '@typescript', '@types'].map((name) => join(modules, name))
  const node = join(modules, 'node', 'node_modules')
  if (existsSync(node))
    for (const name of readdirSync(node).filter((each) => each.startsWith('node-')))
      unused.push(...['include', 'lib', 'share'].map((part) => join(node, name, part)))
  for (const path of unused) rmSync(path, { recursive: true, force: true })
  for (const file of readdirSync(modules, { recursive: true, encoding: 'utf8' }))
    if (/\.(?:map|d\.[cm]?ts|md)$/.test(file)) rmSync(join(modules, file), { force: true })
}

/** Returns the project's Node. If install scripts are blocked, runs its installer directly. */
async function findNode() {
  const own = join(modules, 'node', 'bin', 'node')
  if (!runs(own) && existsSync(join(modules, 'node', 'package.json'))) {
    await alone('install', async () => {
      if (!runs(own)) await fetchNode()
    })
  }
  if (runs(own)) {
    linkNode()
    return own
  }
  if (Number.parseInt(process.versions.node, 10) >= OLDEST_TO_SERVE) return process.execPath
  if (existsSync(own)) {
    const { stderr } = spawnSync(own, ['-v'], { encoding: 'utf8' })
    throw new Failure(
      `Its own Node does not run on this machine: ${stderr.trim()}\nOn Debian, apt-get install libatomic1 adds what is missing most often.`,
    )
  }
  throw new Failure(
    `The product runs on Node ${OLDEST_TO_SERVE} or newer. Its own copy could not be fetched ` +
      `(npm may be told to run no install scripts), and this machine has ${process.versions.node}. ` +
      'Allow the download, or install a newer Node from https://nodejs.org.',
  )
}

/** @param {string} path */
function runs(path) {
  return existsSync(path) && spawnSync(path, ['-v'], { stdio: 'ignore' }).status === 0
}

async function fetchNode() {
  try {
    await step('Fetching the Node that the product runs on', () =>
      quietly('node', 'node', ['installArchSpecificPackage.js'], {
        cwd: join(modules, 'node'),
        env: machineEnvironment(),
      }),
    )
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
  }
}

/** npm scripts use the Node at this path. */
function linkNode() {
  const link = join(modules, '.bin', 'node')
  if (existsSync(link)) return
  try {
    symlinkSync(join('..', 'node', 'bin', 'node'), link)
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
}
