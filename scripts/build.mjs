// Builds the pages and bundles the server if their sources have changed, into dist/<hash of the sources> and
// dist/server-<hash>. `dist/current` and `dist/current-server` contain the newest names. Existing builds are never
// modified, because a running server reads them.
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
  'worker',
  'vite.config.ts',
  'scripts/vite-brotli.ts',
  'scripts/vite-messages.ts',
  'server/kernel/text/locales.ts',
  'scripts/vite-worker.ts',
  'package-lock.json',
]
/** The client and the server build of the pages, with their subfolders. */
const PASSES = /** @type {const} */ ([
  ['client', []],
  ['server', ['--ssr', 'web/entry.server.tsx']],
])
/** Fixed, because with NODE_ENV=test the pages would contain React's development build. */
const BUILD_ENVIRONMENT = { ...process.env, NODE_ENV: 'production' }
/** The current build and the last two, because open pages still load files of the build that they know. */
const RETAINED = 3

/**
 * @typedef {object} Build
 * @property {string} title
 * @property {string} prefix of its folders
 * @property {string} pointer the file that contains the newest name
 * @property {readonly string[]} sources files and folders
 * @property {string} last a file that only exists in a complete build
 * @property {(node: string, folder: string) => Promise<void>} make
 */

/** @type {Build} */
const PAGES = {
  title: 'Building the pages',
  prefix: '',
  pointer: 'current',
  sources: SOURCES,
  last: join('server', 'entry.server.js'),
  make: async (node, folder) => {
    const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
    for (const [part, words] of PASSES) {
      const args = [vite, 'build', ...words, '--outDir', join(folder, part)]
      await quietly(`build-${part}`, node, args, { env: BUILD_ENVIRONMENT })
    }
  },
}

/** @type {Build} */
const SERVER = {
  title: 'Bundling the server',
  prefix: 'server-',
  pointer: 'current-server',
  sources: [
    'server',
    'contract',
    'packages/opinion/src',
    'packages/signalr-server/src',
    'scripts/bundle.ts',
    'package-lock.json',
  ],
  last: 'main.js',
  make: (node, folder) =>
    quietly('bundle', node, [join(root, 'scripts', 'bundle.ts'), folder], {
      env: BUILD_ENVIRONMENT,
    }),
}

const dist = join(root, 'dist')

/**
 * @param {string} node the project's Node
 * @returns {Promise<string>} the folder of the pages that match the sources
 */
export async function ensureBuilt(node) {
  await ensure(SERVER, node)
  return ensure(PAGES, node)
}

/** @param {Build} build @param {string} node */
async function ensure(build, node) {
  const name = hashSources(build)
  if (isCurrent(build, name)) return join(dist, name)
  return alone('build', async () => {
    const wanted = hashSources(build)
    const made = isComplete(build, wanted) ? wanted : await make(build, node)
    if (!isCurrent(build, made)) switchTo(build, made)
    sweepBuilds(dist)
    return join(dist, made)
  })
}

/** @param {Build} build @param {string} node */
async function make(build, node) {
  const making = join(dist, `making-${process.pid}`)
  try {
    for (;;) {
      const name = hashSources(build)
      await step(build.title, () => build.make(node, making))
      // The sources changed during the build, so that it matches neither version.
      if (name !== hashSources(build)) continue
      rmSync(join(dist, name), { recursive: true, force: true })
      renameSync(making, join(dist, name))
      return name
    }
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
}

/** @param {Build} build @param {string} name */
function isCurrent(build, name) {
  return readText(join(dist, build.pointer)).trim() === name && isComplete(build, name)
}

/**
 * A build is renamed to its final name when it is complete.
 * @param {Build} build
 * @param {string} name
 */
function isComplete(build, name) {
  return existsSync(join(dist, name, build.last))
}

/**
 * Servers that start from now on use this build.
 * @param {Build} build
 * @param {string} name
 */
function switchTo(build, name) {
  const now = new Date()
  utimesSync(join(dist, name), now, now)
  const next = join(dist, `${build.pointer}-${process.pid}`)
  writeFileSync(next, `${name}\n`)
  renameSync(next, join(dist, build.pointer))
}

/**
 * Removes builds older than the last two, unless a running process uses them, and incomplete ones of dead
 * processes.
 * @param {string} folder dist
 */
export function sweepBuilds(folder) {
  const age = (/** @type {string} */ name) => statSync(join(folder, name)).mtimeMs
  const names = readdirSync(folder)
  const old = [/^[0-9a-f]{16}$/, /^server-[0-9a-f]{16}$/]
    .flatMap((pattern) =>
      names
        .filter((name) => pattern.test(name))
        .sort((a, b) => age(b) - age(a))
        .slice(RETAINED),
    )
    .filter((name) => !isUsed(join(folder, name)))
  const left = names.filter((name) => {
    const maker = /^(?:making|dev)-(\d+)$/.exec(name)?.[1]
    return maker !== undefined && Number(maker) !== process.pid && !isAlive(Number(maker))
  })
  for (const name of [...old, ...left]) rmSync(join(folder, name), { recursive: true, force: true })
}

/**
 * Servers record their process id in the folder of the build that they use.
 * @param {string} folder
 */
function isUsed(folder) {
  const users = join(folder, 'used-by')
  return existsSync(users) && readdirSync(users).some((user) => isAlive(Number(user)))
}

/**
 * @param {Build} build
 * @returns {string} the name of its folder
 */
function hashSources({ sources, prefix }) {
  const hash = createHash('sha256')
  for (const path of sources.flatMap((name) => filesOf(name))) {
    const content = readFileSync(join(root, path))
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
  const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const words = JSON.stringify([imports, PASSES])
  return `${prefix}${hash.update(words).digest('hex').slice(0, 16)}`
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
  if (!entry || /\.test\.tsx?$|\/testing$/.test(path)) return []
  if (!entry.isDirectory()) return [path]
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesOf(`${path}/${name}`))
}
