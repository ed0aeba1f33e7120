// Builds the web when something it is made of has changed.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { quietly, root } from './commands.mjs'
import { alone } from './lock.mjs'
import { step } from './status.mjs'

const SOURCES = [
  'web',
  'contract',
  'vite.config.ts',
  'scripts/page-keys.ts',
  'scripts/vite-brotli.ts',
  'scripts/vite-calls.ts',
  'scripts/vite-chunks.ts',
  'scripts/vite-messages.ts',
  'scripts/vite-pages.ts',
  'package-lock.json',
]
const stampFile = join(root, 'node_modules', '.cache', 'bazaar', 'built')

/** @param {string} node the project's Node */
export async function ensureBuilt(node) {
  const isBuilt = () => existsSync(join(root, 'dist', 'server')) && stamp() === hashSources()
  if (isBuilt()) return
  await alone('build', async () => {
    if (isBuilt()) return
    // Taken before: what changes during the build is built the next time.
    const hash = hashSources()
    const path = `${dirname(node)}:${process.env.PATH}`
    await step('Building the pages', () =>
      quietly('build', 'npm', ['run', 'build'], { env: { ...process.env, PATH: path } }),
    )
    mkdirSync(dirname(stampFile), { recursive: true })
    writeFileSync(stampFile, hash)
  })
}

function stamp() {
  return existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : ''
}

function hashSources() {
  const hash = createHash('sha256')
  for (const path of SOURCES.flatMap((name) => filesOf(name))) {
    const content = readFileSync(join(root, path))
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
  const { imports, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return hash.update(JSON.stringify([imports, scripts.build])).digest('hex')
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
