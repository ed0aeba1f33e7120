// npm run dev: builds the pages at every change and starts the server again.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { ensureBuilt } from './build.mjs'
import { root } from './commands.mjs'
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
  const node = await ensureInstalled()
  await ensureBuilt(node)
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const build = [vite, 'build', '--watch', '--mode', 'development', '--logLevel', 'warn']
  start(node, build)
  start(node, [...build, '--ssr', 'web/entry.server.tsx', '--outDir', 'dist/server'])
  const watched = ['server', 'contract', 'dist/server'].filter((path) =>
    existsSync(join(root, path)),
  )
  const paths = watched.map((path) => `--watch-path=${path}`)
  start(node, [...paths, '--watch-preserve-output', 'server/main.ts', ...process.argv.slice(2)])
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
    env: { NODE_ENV: 'development', ...process.env },
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
