// Builds the web when something it is made of has changed, in a folder of its own: dist/<hash of what it is made of>.
// `dist/current` names the newest. Nothing that a running server reads is ever written again.
import { createHash } from 'node:crypto'
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { quietly, root } from './commands.mjs'
import { alone, isAlive } from './lock.mjs'
import { step } from './status.mjs'

const SOURCES = [
  'web',
  'contract',
  'vite.config.ts',
  'scripts/page-keys.ts',
  'scripts/vite-brotli.ts',
  'scripts/vite-chunks.ts',
  'scripts/vite-messages.ts',
  'package-lock.json',
]
/** What the browser gets and what renders it, each with its folder below the build's. */
const PASSES = /** @type {const} */ ([
  ['client', []],
  ['server', ['--ssr', 'web/entry.server.tsx']],
])
/** The same whoever asks for it: with NODE_ENV of a test the pages would be those of React in development. */
const BUILD_ENVIRONMENT = { ...process.env, NODE_ENV: 'production' }
/** The current one and the last two: pages that are open go on with the files that they know. */
const RETAINED = 3
const NAME = /^[0-9a-f]{16}$/

const dist = join(root, 'dist')
const currentFile = join(dist, 'current')

/**
 * @param {string} node the project's Node
 * @returns {Promise<string>} the folder of the build that belongs to the sources
 */
export async function ensureBuilt(node) {
  const name = hashSources()
  if (isCurrent(name)) return join(dist, name)
  return alone('build', async () => {
    const wanted = hashSources()
    const made = isWhole(wanted) ? wanted : await build(node)
    if (!isCurrent(made)) switchTo(made)
    sweepBuilds(dist)
    return join(dist, made)
  })
}

/** @param {string} node the project's Node */
async function build(node) {
  const making = join(dist, `making-${process.pid}`)
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  try {
    for (;;) {
      const name = hashSources()
      await step('Building the pages', async () => {
        for (const [part, words] of PASSES) {
          const args = [vite, 'build', ...words, '--outDir', join(making, part)]
          await quietly(`build-${part}`, node, args, { env: BUILD_ENVIRONMENT })
        }
      })
      // Changed while it was read: what was built belongs to no name.
      if (name !== hashSources()) continue
      rmSync(join(dist, name), { recursive: true, force: true })
      renameSync(making, join(dist, name))
      return name
    }
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
}

/** @param {string} name */
function isCurrent(name) {
  return readText(currentFile).trim() === name && isWhole(name)
}

/** It got its name when it was finished. @param {string} name */
function isWhole(name) {
  return existsSync(join(dist, name, 'server', 'entry.server.js'))
}

/** Servers that start from now on take this one. @param {string} name */
function switchTo(name) {
  const now = new Date()
  utimesSync(join(dist, name), now, now)
  const next = `${currentFile}-${process.pid}`
  writeFileSync(next, `${name}\n`)
  renameSync(next, currentFile)
}

/**
 * Removes builds that are older than the last two, unless a living process uses them, and what dead ones left half made.
 * @param {string} folder dist
 */
export function sweepBuilds(folder) {
  const age = (/** @type {string} */ name) => statSync(join(folder, name)).mtimeMs
  const names = readdirSync(folder)
  const old = names
    .filter((name) => NAME.test(name))
    .sort((a, b) => age(b) - age(a))
    .slice(RETAINED)
    .filter((name) => !isUsed(join(folder, name)))
  const left = names.filter((name) => {
    const maker = /^(?:making|dev)-(\d+)$/.exec(name)?.[1]
    return maker !== undefined && Number(maker) !== process.pid && !isAlive(Number(maker))
  })
  for (const name of [...old, ...left]) rmSync(join(folder, name), { recursive: true, force: true })
}

/** Servers note their number below the build that they began with. @param {string} folder */
function isUsed(folder) {
  const users = join(folder, 'used-by')
  return existsSync(users) && readdirSync(users).some((user) => isAlive(Number(user)))
}

function hashSources() {
  const hash = createHash('sha256')
  for (const path of SOURCES.flatMap((name) => filesOf(name))) {
    const content = readFileSync(join(root, path))
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
  const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return hash
    .update(JSON.stringify([imports, PASSES]))
    .digest('hex')
    .slice(0, 16)
}

/** @param {string} path */
function readText(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesOf(path) {
  const entry = statSync(join(root, path), { throwIfNoEntry: false })
  if (!entry || /\.test\.tsx?$/.test(path)) return []
  if (!entry.isDirectory()) return [path]
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesOf(`${path}/${name}`))
}
