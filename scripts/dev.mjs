// npm run dev: builds the pages at every change and starts the server again.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { ensureBuilt } from './build.mjs'
import { root } from './commands.mjs'
import { refuseUsedFolder } from './in-use.mjs'
import { ensureInstalled } from './install.mjs'
import { run } from './status.mjs'

const HELP = `npm run dev serves the product and follows changes: of the pages by building them
anew, of the server by starting it again. Settings are those of npm start.
`

/** @type {import('node:child_process').ChildProcess[]} */
const children = []

await run(async () => {
  if (process.argv.includes('--help')) {
    process.stdout.write(HELP)
    return
  }
  refuseUsedFolder()
  const node = await ensureInstalled()
  const built = await ensureBuilt(node)
  // A copy of its own to write over: servers of this checkout that run go on with theirs.
  const folder = join(dirname(built), `dev-${process.pid}`)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  cpSync(built, folder, { recursive: true })
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const build = [vite, 'build', '--watch', '--mode', 'development', '--logLevel', 'warn']
  start(node, [...build, '--outDir', join(folder, 'client')])
  start(node, [...build, '--ssr', 'web/entry.server.tsx', '--outDir', join(folder, 'server')])
  const watched = ['server', 'contract'].map((name) => join(root, name))
  const paths = [...watched, join(folder, 'server')]
    .filter((path) => existsSync(path))
    .map((path) => `--watch-path=${path}`)
  const words = [`--build=${folder}`, ...process.argv.slice(2)]
  start(node, [...paths, '--watch-preserve-output', 'server/main.ts', ...words])
})

/**
 * When one part ends, all end.
 * @param {string} node
 * @param {string[]} args
 */
function start(node, args) {
  const child = spawn(node, args, {
    cwd: root,
    stdio: 'inherit',
    // No balancer is in front, and each change starts the server again.
    env: { NODE_ENV: 'development', DRAIN_SECONDS: '0', ...process.env },
  })
  children.push(child)
  child.once('exit', (code) => stop('SIGTERM', code ?? 0))
}

/**
 * @param {NodeJS.Signals} signal
 * @param {number} code
 */
function stop(signal, code) {
  process.exitCode ||= code
  for (const child of children) child.kill(signal)
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => stop(signal, 0))
}
